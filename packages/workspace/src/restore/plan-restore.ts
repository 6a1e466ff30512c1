/**
 * Decides what a restore will do, before anything is changed. A dry run ends here; a real run makes the same plan and
 * carries it out, so the two cannot disagree.
 *
 * Each path of the transitions is first decided by itself (`decidePath`). Then all decisions must fit together: no file
 * where a directory has to stay, no new directory where a file stays. A path that does not fit is a conflict of kind
 * `type`; keeping it may affect others, so this is repeated until nothing changes. Under every policy only paths of the
 * transitions are written or deleted: anything else in the way stays.
 */
import type { BytePath, Change, FileState, Hash, ObjectReader, Uncovered } from "../model/model.ts";
import { objectId } from "../model/object-id.ts";
import { showPath } from "../model/path-bytes.ts";
import { pathProblem } from "../model/path-rules.ts";
import { hasContent } from "../model/state-codec.ts";
import {
  type ConflictPolicy,
  type DecideRequest,
  type Decision,
  decidePath,
  type FoundConflict,
  type KeptReason,
  type SetHow,
} from "./decide-path.ts";
import type { Directories } from "./directories.ts";
import { isUncovered, type MaybeState, sameState } from "./file-state.ts";
import { filledDirectories } from "./filled-directories.ts";
import { fitTogether } from "./fit-together.ts";
import type { Contents } from "./merge-states.ts";
import { readContent, readDisk, type Sighting, type Stamp } from "./read-disk.ts";
import { errorCode, noConflict, pathRefused, RestoreError } from "./restore-error.ts";
import { takeBackHunks } from "./text-hunks.ts";
import { composeTransitions, type Steps, type Transition } from "./transitions.ts";

export function planRestore(directories: Directories, objects: ObjectReader, request: RestoreRequest): RestorePlan {
  const policy = request.onConflict ?? "abort";
  const contents = new PlanContents(directories, objects);
  const steps = composeTransitions(request.transitions, pathFilter(request));
  if (request.hunks) chooseHunks(steps, request.hunks, contents);

  const sightings = new Map<BytePath, Sighting>();
  const decisions = new Map<BytePath, Decision>();
  const { transitions: _, onConflict: __, paths: ___, hunks: ____, detail: _____, ...rules } = request;
  const deciding = { policy, contents, ...rules };
  for (const [path, known] of steps) {
    const problem = known.kind === "steps" ? pathProblem(path) : undefined;
    // Refused before the disk is read.
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
  return build(directories, request, steps, sightings, decisions, contents);
}

export interface RestoreRequest extends Omit<DecideRequest, "policy" | "contents"> {
  /** The transitions to take back, newest first. */
  readonly transitions: Iterable<Transition>;
  readonly onConflict?: ConflictPolicy;
  /** Restricts the restore to these paths, and to everything in them when they are directories. */
  readonly paths?: readonly BytePath[];
  /**
   * Restricts these files to these hunks of the change (see `textHunks`). Without `paths`, also restricts the restore
   * to these files.
   */
  readonly hunks?: ReadonlyMap<BytePath, readonly number[]>;
  /** Conflicts come with the contents of their sides. */
  readonly detail?: boolean;
}

export interface RestorePlan {
  /** `refused`: there are conflicts, the policy is `abort`, and not all of them are resolved. Nothing will change. */
  readonly outcome: "restore" | "nothing-to-do" | "refused";
  /** In byte order. A refused plan lists the actions that it would have without the conflicts. */
  readonly actions: readonly Action[];
  readonly kept: readonly { readonly path: BytePath; readonly reason: KeptReason }[];
  readonly conflicts: readonly Conflict[];
  /** The changes on disk that the plan makes: taking these back undoes the restore. */
  readonly changes: readonly Change[];
  /** Content that is not stored yet: merged files, and the previous content of users' files. */
  readonly newContents: ReadonlyMap<Hash, NewContent>;
  /**
   * The state on disk of each path that the plan depends on: while these stay the same, planning again gives the same
   * plan.
   */
  readonly seen: ReadonlyMap<BytePath, MaybeState>;
}

/** With its sides: the state after the change, the state before it, the state on disk, and both with markers. */
export interface Conflict extends FoundConflict {
  readonly path: BytePath;
  readonly left: MaybeState | Uncovered;
  readonly target: MaybeState;
  readonly disk: MaybeState;
  /** Present for files, if requested. */
  readonly contents?: ReadonlyMap<Hash, Buffer>;
}

export interface NewContent {
  readonly content: Buffer;
  readonly path: BytePath;
  readonly predecessor: Hash | undefined;
}

/** Changes a path from `before`, as it was read, to `after`. */
export interface Action {
  readonly path: BytePath;
  readonly before: MaybeState;
  readonly stamp?: Stamp;
  readonly after: MaybeState;
  readonly how: SetHow;
  /** A FIFO, a socket or a device is there, which cannot be read: it is moved away. */
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
    // A parent that was a directory at that time must become one again.
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

  /** Keeps content that the restore will replace and that no capture holds, so that nothing is ever lost. */
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
  { onConflict: policy = "abort", resolutions = new Map(), detail }: RestoreRequest,
  steps: ReadonlyMap<BytePath, Steps>,
  sightings: ReadonlyMap<BytePath, Sighting>,
  decisions: ReadonlyMap<BytePath, Decision>,
  contents: PlanContents,
): RestorePlan {
  const actions: Action[] = [];
  const kept: { path: BytePath; reason: KeptReason }[] = [];
  const conflicts: Conflict[] = [];
  const unresolved = new Set(resolutions.keys());
  let refused = false;
  for (const [path, decision] of decisions) {
    if (decision.kind === "leave") continue;
    const sighting = sightings.get(path);
    const found = decision.conflict ?? (decision.kind === "keep" ? conflictOf(decision.reason) : undefined);
    if (found) {
      const conflict = { path, ...found, ...sidesOf(steps.get(path)), disk: sighting?.state };
      conflicts.push({ ...conflict, ...(detail ? { contents: contentsOf(conflict, contents) } : {}) });
      unresolved.delete(path);
      const resolution = resolutions.get(path);
      if (decision.kind === "keep" ? resolution !== "keep" : resolution === undefined) refused ||= policy === "abort";
    }
    if (decision.kind === "keep") {
      kept.push({ path, reason: decision.reason });
      continue;
    }
    const action = { path, before: sighting?.state, after: decision.state, how: decision.how };
    const special = sighting?.obstacle?.kind === "special" ? ({ special: true } as const) : {};
    actions.push({ ...action, ...special, ...(sighting?.stamp ? { stamp: sighting.stamp } : {}) });
  }
  for (const path of unresolved) throw noConflict(path);
  const seen = new Map<BytePath, MaybeState>();
  sightings.forEach(({ state }, path) => {
    seen.set(path, state);
  });
  const plan = { actions, kept, conflicts, newContents: contents.added, seen };
  if (refused) return { outcome: "refused", ...plan, changes: [] };
  const outcome = actions.length > 0 ? "restore" : "nothing-to-do";
  return { outcome, ...plan, changes: changesOf(directories, actions) };
}

function changesOf(directories: Directories, actions: readonly Action[]): Change[] {
  const changes: Change[] = actions.map(({ path, before, after, special }) => ({
    path,
    ...(special ? { before: { kind: "uncovered", reason: "special" } } : before && { before }),
    ...(after && { after }),
  }));
  changes.push(...filledDirectories(directories, actions));
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function sidesOf(known: Steps | undefined): Pick<Conflict, "left" | "target"> {
  const steps = known?.kind === "steps" ? known.steps : [];
  return { left: steps[0]?.left, target: steps.at(-1)?.target };
}

function contentsOf({ path, left, target, disk, marked }: Conflict, contents: PlanContents): Map<Hash, Buffer> {
  const found = new Map<Hash, Buffer>();
  for (const state of [left, target, disk, marked])
    if (hasContent(state)) found.set(state.hash, contents.read(state.hash, path));
  return found;
}

/** A path that does not fit its surroundings is found to be one only when all are decided. */
function conflictOf(reason: KeptReason): FoundConflict | undefined {
  const isNone = reason === "uncovered" || reason === "ignore-rules-changed" || reason === "another-threads";
  return isNone ? undefined : { kind: reason };
}
