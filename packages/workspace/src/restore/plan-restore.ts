/**
 * What a restore will do, decided before anything is touched. A dry run is this and no more; the
 * real run is this and carrying it out, so the two cannot disagree.
 *
 * Each path that the transitions touched is decided by itself (`decidePath`), then all of them
 * together must fit: no file where a directory has to stay, no directory made where a file stays.
 * A path that does not fit is a conflict of kind `type`; keeping it may unsettle others, so this is
 * repeated until nothing changes. Only paths of the transitions are ever written or deleted, under
 * every policy: what stands in the way and is not part of the plan stays.
 */
import type { BytePath, Change, FileState, Hash, ObjectReader } from "../model/model.ts";
import { objectId } from "../model/object-id.ts";
import { showPath } from "../model/path-bytes.ts";
import { pathProblem } from "../model/path-rules.ts";
import {
  type ConflictPolicy,
  type DecideRequest,
  type Decision,
  decidePath,
  type KeptReason,
  type SetHow,
} from "./decide-path.ts";
import type { Directories } from "./directories.ts";
import { isUncovered, type MaybeState, sameState } from "./file-state.ts";
import { filledDirectories } from "./filled-directories.ts";
import { fitTogether } from "./fit-together.ts";
import type { ConflictKind, Contents } from "./merge-states.ts";
import { readContent, readDisk, type Sighting, type Stamp } from "./read-disk.ts";
import { errorCode, pathRefused, RestoreError } from "./restore-error.ts";
import { takeBackHunks } from "./text-hunks.ts";
import { composeTransitions, type Steps, type Transition } from "./transitions.ts";

export function planRestore(directories: Directories, objects: ObjectReader, request: RestoreRequest): RestorePlan {
  const policy = request.onConflict ?? "abort";
  const contents = new PlanContents(directories, objects);
  const steps = composeTransitions(request.transitions, pathFilter(request));
  if (request.hunks) chooseHunks(steps, request.hunks, contents);

  const sightings = new Map<BytePath, Sighting>();
  const decisions = new Map<BytePath, Decision>();
  const { transitions: _, onConflict: __, paths: ___, hunks: ____, ...rules } = request;
  const deciding = { policy, contents, ...rules };
  for (const [path, known] of steps) {
    const problem = known.kind === "steps" ? pathProblem(path) : undefined;
    // Refused before it is even looked at.
    if (problem) throw pathRefused(path, problem);
    directories.trim();
    const sighting = look(directories, path);
    contents.onDisk(path, sighting.state);
    sightings.set(path, sighting);
    const decision = decidePath(path, sighting, known, deciding);
    decisions.set(path, decision);
    const left = known.kind === "steps" ? known.steps[0]?.left : undefined;
    const captured = known.kind === "steps" && !isUncovered(left) && sameState(left, sighting.state);
    if (decision.kind === "set" && !captured) contents.savePreImage(path, sighting.state);
  }
  fitTogether(directories, sightings, decisions);
  return build(directories, policy, sightings, decisions, contents);
}

export interface RestoreRequest extends Omit<DecideRequest, "policy" | "contents"> {
  /** What to take back, newest first. */
  readonly transitions: Iterable<Transition>;
  readonly onConflict?: ConflictPolicy;
  /** Only these paths, and what is in them where they are directories. */
  readonly paths?: readonly BytePath[];
  /** Of these files only these hunks of the change (see `textHunks`); alone, also only these files. */
  readonly hunks?: ReadonlyMap<BytePath, readonly number[]>;
}

export interface RestorePlan {
  /** `refused`: there are conflicts and the policy is `abort`; nothing will change. */
  readonly outcome: "restore" | "nothing-to-do" | "refused";
  /** In byte order. */
  readonly actions: readonly Action[];
  readonly kept: readonly { readonly path: BytePath; readonly reason: KeptReason }[];
  readonly conflicts: readonly Conflict[];
  /** What disk was and will be: taking this back is undoing the restore. */
  readonly changes: readonly Change[];
  /** Content that is in no object yet: merged files, and what a user's file held before. */
  readonly newContents: ReadonlyMap<Hash, NewContent>;
}

export interface Conflict {
  readonly path: BytePath;
  readonly kind: ConflictKind;
}

export interface NewContent {
  readonly content: Buffer;
  readonly path: BytePath;
  readonly predecessor: Hash | undefined;
}

/** From `before`, as it was read, to `after`. */
export interface Action {
  readonly path: BytePath;
  readonly before: MaybeState;
  readonly stamp?: Stamp;
  readonly after: MaybeState;
  readonly how: SetHow;
  /** A FIFO, a socket or a device is there, which nobody can read: it gives way. */
  readonly special?: true;
}

function look(directories: Directories, path: BytePath): Sighting {
  try {
    return readDisk(directories, path);
  } catch (cause) {
    const denied = errorCode(cause) === "EACCES" || errorCode(cause) === "EPERM";
    throw new RestoreError(
      denied ? "no-permission" : "not-started",
      `'${showPath(path)}' cannot be read, so nobody can tell whether it was edited. No file was changed.`,
      { cause, path },
    );
  }
}

function pathFilter({ paths, hunks }: RestoreRequest): (change: Change) => boolean {
  if (!paths && !hunks) return () => true;
  const wanted = new Set(paths ?? hunks?.keys());
  const folders = [...wanted].map((path) => `${path}/`);
  return ({ path, before }) => {
    if (wanted.has(path) || folders.some((folder) => path.startsWith(folder))) return true;
    // A parent that was a directory then has to be one again.
    const directoryThen = before === undefined || before.kind === "directory";
    return directoryThen && folders.some((folder) => folder.startsWith(`${path}/`));
  };
}

function chooseHunks(
  steps: Map<BytePath, Steps>,
  hunks: ReadonlyMap<BytePath, readonly number[]>,
  contents: PlanContents,
): void {
  for (const [path, chosen] of hunks) {
    const known = steps.get(path);
    const [step, ...more] = known?.kind === "steps" ? known.steps : [];
    const { left, target } = step ?? {};
    const result =
      more.length === 0 && left?.kind === "file" && target?.kind === "file"
        ? takeBackHunks(contents.read(target.hash, path), contents.read(left.hash, path), chosen)
        : undefined;
    if (result === undefined || left?.kind !== "file") {
      throw new RestoreError(
        "unknown-hunk",
        `'${showPath(path)}' has no such hunks in this change, or is not one change of text. No file was changed. ` +
          "Ask for its hunks again, or take back the whole file.",
        { path },
      );
    }
    const state: FileState = { ...left, hash: contents.add(result, path, left.hash), size: result.length };
    steps.set(path, { kind: "steps", steps: [{ left, target: state }] });
  }
}

/** Contents by hash: on disk, in the store, or made by the plan itself and kept in memory. */
class PlanContents implements Contents {
  readonly #directories: Directories;
  readonly #objects: ObjectReader;
  readonly #disk = new Map<Hash, { path: BytePath; state: FileState }>();
  readonly added = new Map<Hash, NewContent>();

  constructor(directories: Directories, objects: ObjectReader) {
    this.#directories = directories;
    this.#objects = objects;
  }

  onDisk(path: BytePath, state: MaybeState): void {
    if (state && state.kind !== "directory") this.#disk.set(state.hash, { path, state });
  }

  read(hash: Hash, path: BytePath): Buffer {
    return this.added.get(hash)?.content ?? this.#fromDisk(hash) ?? this.#objects.read(hash, path);
  }

  add(content: Buffer, path: BytePath, predecessor?: Hash): Hash {
    const hash = objectId("blob", content);
    if (!this.added.has(hash)) this.added.set(hash, { content, path, predecessor });
    return hash;
  }

  /** Keeps what the restore will replace and no capture holds, so that nothing is ever lost. */
  savePreImage(path: BytePath, state: MaybeState): void {
    if (!state || state.kind === "directory" || this.added.has(state.hash)) return;
    const content = this.#fromDisk(state.hash);
    if (!content) {
      throw new RestoreError(
        "not-started",
        `'${showPath(path)}' was written to while the restore was being planned. No file was changed. Try again.`,
        { path },
      );
    }
    this.added.set(state.hash, { content, path, predecessor: undefined });
  }

  #fromDisk(hash: Hash): Buffer | undefined {
    const seen = this.#disk.get(hash);
    if (!seen) return undefined;
    const place = this.#directories.place(seen.path);
    return place === undefined ? undefined : readContent(place, seen.state);
  }
}

function build(
  directories: Directories,
  policy: ConflictPolicy,
  sightings: ReadonlyMap<BytePath, Sighting>,
  decisions: ReadonlyMap<BytePath, Decision>,
  contents: PlanContents,
): RestorePlan {
  const actions: Action[] = [];
  const kept: { path: BytePath; reason: KeptReason }[] = [];
  const conflicts: Conflict[] = [];
  for (const [path, decision] of decisions) {
    if (decision.kind === "keep") {
      kept.push({ path, reason: decision.reason });
      if (isConflict(decision.reason)) conflicts.push({ path, kind: decision.reason });
    }
    if (decision.kind !== "set") continue;
    if (decision.conflict) conflicts.push({ path, kind: decision.conflict });
    const sighting = sightings.get(path);
    const action = { path, before: sighting?.state, after: decision.state, how: decision.how };
    const special = sighting?.obstacle?.kind === "special" ? ({ special: true } as const) : {};
    actions.push({ ...action, ...special, ...(sighting?.stamp ? { stamp: sighting.stamp } : {}) });
  }
  if (policy === "abort" && conflicts.length > 0) {
    return { outcome: "refused", actions: [], kept, conflicts, changes: [], newContents: new Map() };
  }
  const changes: Change[] = actions.map(({ path, before, after, special }) => ({
    path,
    ...(special ? { before: { kind: "uncovered", reason: "special" } } : before && { before }),
    ...(after && { after }),
  }));
  changes.push(...filledDirectories(directories, actions));
  changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  const outcome = actions.length > 0 ? "restore" : "nothing-to-do";
  return { outcome, actions, kept, conflicts, changes, newContents: contents.added };
}

function isConflict(reason: KeptReason): reason is ConflictKind {
  return reason !== "uncovered" && reason !== "ignore-rules-changed" && reason !== "another-threads";
}
