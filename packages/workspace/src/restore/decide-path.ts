import type { BytePath, FileState, Uncovered } from "../model/model.ts";
import { isUncovered, type MaybeState, permitted, sameState } from "./file-state.ts";
import { type ConflictKind, type Contents, mergeStates } from "./merge-states.ts";
import type { Sighting } from "./read-disk.ts";
import type { Steps } from "./transitions.ts";

export type ConflictPolicy = "abort" | "keep" | "merge" | "overwrite";

/** How one conflict is decided: as a policy would, or by the content that the file gets. */
export type Resolution = Exclude<ConflictPolicy, "abort"> | Buffer;

/** The decision about one path by itself; the plan checks whether it fits the others. */
export type Decision =
  /** The path already is as it should be. */
  | { readonly kind: "leave" }
  | { readonly kind: "set"; readonly state: MaybeState; readonly how: SetHow; readonly conflict?: FoundConflict }
  | { readonly kind: "keep"; readonly reason: KeptReason; readonly conflict?: FoundConflict };

/** `marked` is the file with both versions between markers, where that can be written. */
export interface FoundConflict {
  readonly kind: ConflictKind;
  readonly marked?: FileState;
}

/**
 * `merged`: it contains the user's edits; `marked`: also conflict markers; `overwritten`: the user's edits are saved
 * and replaced.
 */
export type SetHow = "restored" | "merged" | "marked" | "overwritten";

/** `another-threads`: another thread wrote it, so this one leaves it alone. */
export type KeptReason = ConflictKind | "uncovered" | "ignore-rules-changed" | "another-threads";

export function decidePath(path: BytePath, sighting: Sighting, steps: Steps, request: DecideRequest): Decision {
  if (steps.kind === "uncovered") return { kind: "keep", reason: "uncovered" };
  if (request.isOthers?.(path) && !sameState(sighting.state, steps.steps.at(-1)?.target))
    return { kind: "keep", reason: "another-threads" };
  const wanted = takeBack(path, sighting, steps, request);
  if (wanted.kind === "clean") {
    if (sameState(wanted.state, sighting.state)) return { kind: "leave" };
    if (wanted.state === undefined && ignoreRulesChanged(path, sighting.state, steps, request)) {
      return { kind: "keep", reason: "ignore-rules-changed" };
    }
    return { kind: "set", state: wanted.state, how: wanted.merged ? "merged" : "restored" };
  }
  const { conflict } = wanted;
  const chosen = request.resolutions?.get(path) ?? request.policy;
  if (chosen === "overwrite" && (sighting.obstacle === undefined || gaveWay(sighting, steps))) {
    const state = wanted.target && permitted(wanted.target);
    if (sameState(state, sighting.state)) return { kind: "leave" };
    return { kind: "set", state, how: "overwritten", conflict };
  }
  if (chosen === "merge" && conflict.marked) {
    return { kind: "set", state: conflict.marked, how: "marked", conflict };
  }
  if (chosen instanceof Buffer && sighting.obstacle === undefined) {
    return {
      kind: "set",
      state: resolvedFile(path, chosen, sighting, steps, request.contents),
      how: "merged",
      conflict,
    };
  }
  return { kind: "keep", reason: conflict.kind, conflict };
}

export interface DecideRequest {
  readonly policy: ConflictPolicy;
  /** Instead of the policy, for the conflicts of these paths. */
  readonly resolutions?: ReadonlyMap<BytePath, Resolution>;
  readonly contents: Contents;
  /** Whether another thread wrote the path later: its version is merged, or is a conflict. */
  writtenByOther?(path: BytePath): boolean;
  /** Whether only other threads changed the path later, and a restore leaves it unchanged. */
  isOthers?(path: BytePath): boolean;
  /** Whether the user changed the path later, so that a restore would discard that. */
  isUsers?(path: BytePath): boolean;
  /** Whether ignore rules exclude the path now. */
  ignoredNow?(path: BytePath): boolean;
}

type PathOutcome =
  | { readonly kind: "clean"; readonly state: MaybeState; readonly merged: boolean }
  /** `target`: the state where nothing is kept of what is in conflict. */
  | { readonly kind: "conflict"; readonly conflict: FoundConflict; readonly target: MaybeState };

function takeBack(
  path: BytePath,
  sighting: Sighting,
  { steps }: Exclude<Steps, Uncovered>,
  request: DecideRequest,
): PathOutcome {
  let state = sighting.state;
  let merged = false;
  let conflict: ConflictKind | undefined;
  const target = steps.at(-1)?.target;
  const named = (kind: ConflictKind, marked?: FileState): PathOutcome => ({
    kind: "conflict",
    conflict: { kind: request.writtenByOther?.(path) ? "other-thread" : kind, ...(marked && { marked }) },
    target,
  });
  if (sighting.obstacle?.kind === "special") return { kind: "conflict", conflict: { kind: "type" }, target };
  for (const { left, target: found } of steps) {
    const step = { target: found && permitted(found) };
    if (isUncovered(left)) {
      if (sameState(state, step.target)) continue;
      return named(conflict ?? (sighting.obstacle ? "type" : "overlap"));
    }
    if (!sameState(state, left)) merged = true;
    const result = mergeStates(path, state, { ...step, left }, request.contents);
    if (result.kind === "clean") {
      state = result.state;
      continue;
    }
    const kind = sighting.obstacle ? "type" : result.conflict;
    if (!result.marked) return named(conflict ?? kind);
    conflict ??= kind;
    state = result.marked;
  }
  // The user's change was taken back without a conflict: between the markers it would be missing.
  if (conflict) return named(conflict, request.isUsers?.(path) ? undefined : state);
  // A directory that the user put something into is there; what it holds has conflicts of its own.
  const isFilled = state?.kind === "directory" && sighting.obstacle?.kind === "populated";
  if (!isFilled && !sameState(state, sighting.state) && request.isUsers?.(path)) {
    const kind =
      sighting.state === undefined ? "deleted-by-user" : target === undefined ? "created-by-user" : "overlap";
    return { kind: "conflict", conflict: { kind }, target: state };
  }
  return { kind: "clean", state, merged: merged && !sameState(state, target && permitted(target)) };
}

/** The mode is the user's, where there is a file. */
function resolvedFile(
  path: BytePath,
  content: Buffer,
  { state }: Sighting,
  { steps }: Exclude<Steps, Uncovered>,
  contents: Contents,
): FileState {
  const target = steps.at(-1)?.target;
  const known = [state, target && permitted(target)].find((each) => each?.kind === "file");
  const mode = known?.kind === "file" ? known.mode : NEW_FILE;
  return { kind: "file", hash: contents.add(content, path), size: content.length, mode };
}

const NEW_FILE = 0o644;

/** Whether a FIFO, a socket or a device replaced a file. */
function gaveWay({ obstacle }: Sighting, { steps }: Exclude<Steps, Uncovered>): boolean {
  return obstacle?.kind === "special" && isUncovered(steps[0]?.left);
}

/**
 * A file that ignore rules included or excluded in the meantime is not deleted: a capture that lacks it does not prove
 * that it did not exist.
 */
function ignoreRulesChanged(
  path: BytePath,
  disk: MaybeState,
  { steps }: Exclude<Steps, Uncovered>,
  request: DecideRequest,
): boolean {
  if (disk === undefined || disk.kind === "directory" || !request.ignoredNow) return false;
  const left = steps[0]?.left;
  const ignoredThen = (!isUncovered(left) && left?.ignored) ?? false;
  return request.ignoredNow(path) !== ignoredThen;
}
