/**
 * The files of takes that are not on disk: trees in the store. An undo merges them file by file, as on disk; a file
 * that cannot be merged is a conflict.
 */
import type { Transition as Trees } from "@retake/core";
import {
  type BytePath,
  type CaptureId,
  type Change,
  type Contents,
  composeTransitions,
  decidePath,
  deriveCapture,
  type Hash,
  isUncovered,
  type ObjectReader,
  objectId,
  parentOf,
  type RestoreContext,
  type Transition,
} from "@retake/workspace";
import { isFile } from "./other-writers.ts";
import { changeOf, type ThreadFiles } from "./thread-files.ts";

/** The result for the files of a take that is not on disk: changes to its current tree. */
export interface FilesElsewhere {
  readonly now: CaptureId;
  readonly merged: MergedFiles;
}

/**
 * Takes transitions back, newest first, in files whose current tree is `now`. Where nothing else was changed, the result is the
 * earlier tree itself: the disk log knows when that one was on disk, and who changed what since (`exchange-trees.ts`).
 * `isNoted` tells whether only a note came after them, right away: then what does not merge becomes the earlier tree too.
 */
export function takeBackElsewhere(
  transitions: readonly Trees[],
  now: CaptureId,
  files: ThreadFiles,
  objects: ObjectReader,
  isNoted: () => boolean,
): FilesElsewhere {
  const exact = exactlyBefore(transitions, now);
  if (exact !== undefined) return treeWith(exact, [], new NewContents(objects));
  const back = transitions.map(({ before, after }) => files.transition(before, after));
  const merged = mergeElsewhere(back, changesAfter(transitions, now, files), objects);
  const before = exactlyBefore(transitions, transitions[0]?.after ?? now);
  return !merged.clean && before !== undefined && isNoted()
    ? treeWith(before, [], new NewContents(objects))
    : { now, merged };
}

/** A tree with other states of some files. */
export function treeWith(now: CaptureId, changes: readonly Change[], contents: NewContents): FilesElsewhere {
  return { now, merged: { changes, clean: true, contents } };
}

/** The tree before transitions, newest first, that led to `now` without anything in between; otherwise undefined. */
export function exactlyBefore(transitions: readonly Trees[], now: CaptureId): CaptureId | undefined {
  return transitions.reduce<CaptureId | undefined>((at, { before, after }) => (at === after ? before : undefined), now);
}

/** The resulting tree, in the transaction that names it. */
export function derivedTree({ database }: RestoreContext, { now, merged }: FilesElsewhere): CaptureId {
  return deriveCapture(database, now, merged.changes);
}

/** Stores the new contents of the resulting tree, in the transaction that names it. */
export function storeContents({ objects }: RestoreContext, { merged }: FilesElsewhere): void {
  const added = [...merged.contents.added.values()];
  for (const { content, predecessor } of added) objects.write(content, predecessor);
  if (added.length > 0) objects.flush();
}

/** The changes after a transition that none of them made: since the newest, and between two, where a note came. */
function changesAfter(transitions: readonly Trees[], now: CaptureId, files: ThreadFiles): Change[] {
  const others: Change[] = [];
  const seen = new Set<BytePath>();
  let at = now;
  for (const { before, after } of transitions) {
    const between = files.changes(after, at).filter(({ path }) => !seen.has(path));
    others.push(...between);
    for (const { path } of [...between, ...files.changes(before, after)]) seen.add(path);
    at = before;
  }
  return others;
}

interface MergedFiles {
  readonly changes: readonly Change[];
  /** False when a later change conflicts and stays. */
  readonly clean: boolean;
  readonly contents: NewContents;
}

/** Takes transitions back, newest first, in files that others changed `since`. */
function mergeElsewhere(
  transitions: readonly Transition[],
  since: readonly Change[],
  objects: ObjectReader,
): MergedFiles {
  const contents = new NewContents(objects);
  const edited = new Map(since.map((change) => [change.path, change]));
  const files = new Set(since.filter(({ after }) => isFile(after)).map(({ path }) => path));
  const folders = new Set([...files].flatMap(parents));
  const changes: Change[] = [];
  let clean = true;
  for (const [path, known] of composeTransitions(transitions, () => true)) {
    const change = edited.get(path);
    const now = change ? change.after : known.kind === "steps" ? known.steps[0]?.left : undefined;
    if (isUncovered(now)) continue;
    const decision = decidePath(path, { state: now }, known, { policy: "abort", contents });
    const state = decision.kind === "set" ? decision.state : undefined;
    // A path cannot be a file and a directory at once; a directory is recorded only while it is empty.
    const nested = state !== undefined && (folders.has(path) || parents(path).some((each) => files.has(each)));
    if (decision.kind === "keep" ? decision.reason !== "uncovered" : nested && isFile(state)) clean = false;
    if (decision.kind !== "set" || nested) continue;
    changes.push(changeOf(path, now, state));
    for (const folder of isFile(state) ? parents(path) : []) {
      const before = edited.get(folder)?.after;
      if (before?.kind === "directory" && edited.delete(folder)) changes.push({ path: folder, before });
    }
  }
  return { changes: changes.sort((a, b) => (a.path < b.path ? -1 : 1)), clean, contents };
}

function parents(path: BytePath): BytePath[] {
  const all: BytePath[] = [];
  for (let at = parentOf(path); at !== ""; at = parentOf(at)) all.push(at);
  return all;
}

/** The contents of merged files, in memory until they are stored. */
export class NewContents implements Contents {
  readonly #objects: ObjectReader;
  readonly added = new Map<Hash, { readonly content: Buffer; readonly predecessor: Hash | undefined }>();

  constructor(objects: ObjectReader) {
    this.#objects = objects;
  }

  read(hash: Hash, path: BytePath): Buffer {
    return this.added.get(hash)?.content ?? this.#objects.read(hash, path);
  }

  add(content: Buffer, _: BytePath, predecessor?: Hash): Hash {
    const hash = objectId("blob", content);
    this.added.set(hash, { content, predecessor });
    return hash;
  }
}
