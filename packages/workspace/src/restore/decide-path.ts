import type { BytePath, FileState, Uncovered } from "../model/model.ts";
import { isUncovered, type MaybeState, permitted, sameState } from "./file-state.ts";
import { type ConflictKind, type Contents, mergeStates } from "./merge-states.ts";
import type { Sighting } from "./read-disk.ts";
import type { Steps } from "./transitions.ts";

export type ConflictPolicy = "abort" | "keep" | "merge" | "overwrite";

/** What is to become of one path, by itself; whether it fits its surroundings is for the plan. */
export type Decision =
  /** It is as it should be. */
  | { readonly kind: "leave" }
  | { readonly kind: "set"; readonly state: MaybeState; readonly how: SetHow; readonly conflict?: ConflictKind }
  | { readonly kind: "keep"; readonly reason: KeptReason };

/** `merged`: the user's edits are in it; `marked`: so are markers; `overwritten`: they are saved and gone. */
export type SetHow = "restored" | "merged" | "marked" | "overwritten";

/** `another-threads`: it is what another thread made of it, and none of this one's business. */
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
  if (request.policy === "overwrite" && (sighting.obstacle === undefined || gaveWay(sighting, steps))) {
    const target = steps.steps.at(-1)?.target;
    const state = target && permitted(target);
    if (sameState(state, sighting.state)) return { kind: "leave" };
    return { kind: "set", state, how: "overwritten", conflict: wanted.conflict };
  }
  if (request.policy === "merge" && wanted.marked) {
    return { kind: "set", state: wanted.marked, how: "marked", conflict: wanted.conflict };
  }
  return { kind: "keep", reason: wanted.conflict };
}

export interface DecideRequest {
  readonly policy: ConflictPolicy;
  readonly contents: Contents;
  /** Whether another thread wrote the path after what is taken back: it is merged with, or in the way. */
  writtenByOther?(path: BytePath): boolean;
  /** The same where whole trees are exchanged: it stays as it is. */
  isOthers?(path: BytePath): boolean;
  /** Whether the user changed the path since, so that to go back would take that away. */
  isUsers?(path: BytePath): boolean;
  /** Whether ignore rules leave the path out now. */
  ignoredNow?(path: BytePath): boolean;
}

type TakenBack =
  | { readonly kind: "clean"; readonly state: MaybeState; readonly merged: boolean }
  | { readonly kind: "conflict"; readonly conflict: ConflictKind; readonly marked?: FileState };

function takeBack(
  path: BytePath,
  sighting: Sighting,
  { steps }: Exclude<Steps, Uncovered>,
  request: DecideRequest,
): TakenBack {
  let state = sighting.state;
  let merged = false;
  let conflict: ConflictKind | undefined;
  const target = steps.at(-1)?.target;
  const named = (kind: ConflictKind): ConflictKind => (request.writtenByOther?.(path) ? "other-thread" : kind);
  if (sighting.obstacle?.kind === "special") return { kind: "conflict", conflict: "type" };
  for (const { left, target: found } of steps) {
    const step = { target: found && permitted(found) };
    if (isUncovered(left)) {
      if (sameState(state, step.target)) continue;
      return { kind: "conflict", conflict: named(conflict ?? (sighting.obstacle ? "type" : "overlap")) };
    }
    if (!sameState(state, left)) merged = true;
    const result = mergeStates(path, state, { ...step, left }, request.contents);
    if (result.kind === "clean") {
      state = result.state;
      continue;
    }
    const kind = sighting.obstacle ? "type" : result.conflict;
    if (!result.marked) return { kind: "conflict", conflict: named(conflict ?? kind) };
    conflict ??= kind;
    state = result.marked;
  }
  if (!sameState(state, sighting.state) && request.isUsers?.(path)) {
    const kind =
      sighting.state === undefined ? "deleted-by-user" : target === undefined ? "created-by-user" : "overlap";
    return { kind: "conflict", conflict: kind };
  }
  if (conflict) return { kind: "conflict", conflict: named(conflict), ...(state && { marked: state }) };
  return { kind: "clean", state, merged: merged && !sameState(state, target && permitted(target)) };
}

/** A FIFO, a socket or a device that took the place of a file. */
function gaveWay({ obstacle }: Sighting, { steps }: Exclude<Steps, Uncovered>): boolean {
  return obstacle?.kind === "special" && isUncovered(steps[0]?.left);
}

/**
 * A file that ignore rules took in or let go since is not deleted: to the capture that lacks it, it
 * may just as well have been there.
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
