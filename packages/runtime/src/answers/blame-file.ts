/**
 * Which turn wrote each line of a file.
 *
 * The versions of the file are walked from the newest to the oldest. A line that a step added belongs to that step; every
 * other line is looked for in the version before it, where it has another number. Turns follow each other with gaps between
 * them, in which the user or another thread wrote, or files were restored. Where a gap brought back a version as it had been,
 * the walk goes on from there: a revert does not write the lines that it brings back.
 *
 *     first files ─ gap ─ turn #1 ─ gap ─ turn #2 ─ gap ─ now
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { recordAs, recordsBack, type State, tree, turnName } from "@retake/core";
import {
  type BytePath,
  type CaptureId,
  type Change,
  type Hash,
  type Hunk,
  objectId,
  textHunks,
  type WorkspaceFiles,
} from "@retake/workspace";
import { keptChanges, whereKept } from "../undo/thread-files.ts";

/** Lines that one step wrote. */
export interface BlamedLines {
  /** The number of the first line, from 1. */
  readonly start: number;
  readonly lines: number;
  /**
   * `between`: the user, another thread, or a restore that merged. `before`: older than the thread, or than the versions that
   * are kept.
   */
  readonly by: "turn" | "between" | "before";
  readonly turn_id?: string;
  readonly turn_name?: string;
}

type Writer = Pick<BlamedLines, "by" | "turn_id" | "turn_name">;

interface Version {
  /** Undefined where the file was not there, or was not captured. */
  readonly hash: Hash | undefined;
  /** Made this version from the one before. */
  readonly writer: Writer;
}

const BETWEEN: Writer = { by: "between" };
const BEFORE: Writer = { by: "before" };

/** The file whose lines are asked about. `content` is its newest version, and `state` the thread at that moment. */
interface Blamed {
  readonly state: State;
  readonly take: string;
  readonly path: BytePath;
  readonly content: Buffer;
}

/** Undefined where the content is not text. */
export async function blameFile(files: WorkspaceFiles, file: Blamed): Promise<BlamedLines[] | undefined> {
  if (!textHunks(Buffer.alloc(0), file.content)) return undefined;
  const writers = Array.from({ length: lineCount(file.content) }, () => BEFORE);
  let lines: readonly TracedLine[] = writers.map((_, line) => ({ line, place: line }));
  const versions = new Versions(files, file);
  let { content } = file;
  for (let at = 0; lines.length > 0; ) {
    const [newer, older] = [await versions.at(at), await versions.at(at + 1)];
    if (!newer || !older) break;
    const same = newer.writer === BETWEEN ? await versions.sameAfter(at) : undefined;
    if (same === undefined) {
      const before = older.hash === undefined ? undefined : files.objects.read(older.hash, file.path);
      const hunks = before && textHunks(before, content);
      const traced = hunks ? traceBack(hunks, lines) : { added: lines, older: [] };
      for (const { line } of traced.added) writers[line] = newer.writer;
      [lines, content] = [traced.older, before ?? content];
    }
    at = same ?? at + 1;
  }
  return runsOf(writers);
}

const YIELD_MS = 10;

/** A line whose writer is not known yet. */
export interface TracedLine {
  /** Its number in the file, from 0. */
  readonly line: number;
  /** Its number in the version that is looked at. */
  readonly place: number;
}

/**
 * Separates the lines that the hunks added from those that were there before, with their places there. Lines and hunks are
 * both in the order of the file, so one walk over them is enough.
 */
export function traceBack(
  hunks: readonly Hunk[],
  lines: readonly TracedLine[],
): { readonly added: readonly TracedLine[]; readonly older: readonly TracedLine[] } {
  const [added, older]: [TracedLine[], TracedLine[]] = [[], []];
  const rest = hunks.values();
  let { value: hunk } = rest.next();
  let shift = 0;
  for (const { line, place } of lines) {
    while (hunk && hunk.after.start + hunk.after.lines.length <= place) {
      shift += hunk.before.lines.length - hunk.after.lines.length;
      hunk = rest.next().value;
    }
    if (hunk && hunk.after.start <= place) added.push({ line, place });
    else older.push({ line, place: place + shift });
  }
  return { added, older };
}

/** The versions of a file by number, the newest first. They are read as far as they are asked for. */
class Versions {
  readonly #read: Version[] = [];
  readonly #rest: Iterator<Version | undefined>;
  #begun = performance.now();

  constructor(files: WorkspaceFiles, file: Blamed) {
    this.#rest = versionsBack(files, file);
  }

  async at(index: number): Promise<Version | undefined> {
    while (this.#read.length <= index) {
      const { value, done } = this.#rest.next();
      if (done) return undefined;
      if (value) this.#read.push(value);
      if (performance.now() - this.#begun < YIELD_MS) continue;
      await nextTurn();
      this.#begun = performance.now();
    }
    return this.#read[index];
  }

  /** The next older version with the same content. */
  async sameAfter(index: number): Promise<number | undefined> {
    const hash = this.#read[index]?.hash;
    for (let at = index + 1; hash !== undefined; at += 1) {
      const older = await this.at(at);
      if (!older) return undefined;
      if (older.hash === hash) return at;
    }
    return undefined;
  }
}

/** The versions of the file, newest first; undefined for a step that did not change it. Ends where captures are not kept. */
function* versionsBack(
  files: WorkspaceFiles,
  { state, take, path, content }: Blamed,
): IterableIterator<Version | undefined> {
  let newer: CaptureId = tree(state, take);
  let hash: Hash | undefined = objectId("blob", content);
  const head = whereKept(() => files.files(newer));
  const captured = hashOf(head?.get(path));
  if (head && captured !== hash) {
    yield { hash, writer: BETWEEN };
    hash = captured;
  }
  for (const [older, writer] of head ? stepsBack(state, take) : []) {
    if (older === newer) continue;
    const changes = keptChanges(files.database, older, newer);
    if (!changes) break;
    const change = changes.find((each) => each.path === path);
    yield change && { hash, writer };
    if (change) hash = hashOf(change.before);
    newer = older;
  }
  yield { hash, writer: BEFORE };
}

function* stepsBack(state: State, take: string): IterableIterator<readonly [CaptureId, Writer]> {
  for (const [, record] of recordsBack(state, take, "turn")) {
    const { id, number, tree_before, tree_after } = recordAs("turn", record);
    if (tree_after !== undefined) yield [tree_after, BETWEEN];
    if (tree_before !== undefined) yield [tree_before, { by: "turn", turn_id: id, turn_name: turnName(number) }];
  }
}

function hashOf(state: Change["before"]): Hash | undefined {
  return state?.kind === "file" || state?.kind === "link" ? state.hash : undefined;
}

function runsOf(writers: readonly Writer[]): BlamedLines[] {
  const runs: (Writer & { start: number; lines: number })[] = [];
  for (const [line, writer] of writers.entries()) {
    const last = runs.at(-1);
    if (last && last.by === writer.by && last.turn_id === writer.turn_id) last.lines += 1;
    else runs.push({ start: line + 1, lines: 1, ...writer });
  }
  return runs;
}

function lineCount(content: Buffer): number {
  if (content.length === 0) return 0;
  let lines = 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines += 1;
  return content.at(-1) === 10 ? lines : lines + 1;
}
