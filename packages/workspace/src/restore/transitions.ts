import type { BytePath, Change, FileState, FileTree, Uncovered } from "../model/model.ts";
import { parentOf } from "../model/path-bytes.ts";
import { isUncovered, type MaybeState, sameState } from "./file-state.ts";

/** From one capture to another, as two trees or as the changes between them. */
export type Transition =
  | { readonly before: FileTree; readonly after: FileTree }
  | { readonly changes: Iterable<Change> };

/** One change of a path to take back: the state after it, as far as a capture knows, and the state before it. */
export interface Step {
  readonly left: MaybeState | Uncovered;
  readonly target: MaybeState;
}

/**
 * `uncovered`: one side did not capture the path, so there is nothing to restore, or the current file may still be the
 * same. A file that grew too large, or was replaced by a FIFO, is different: its old content is known, and it was
 * replaced (F23).
 */
export type Steps = { readonly kind: "steps"; readonly steps: readonly Step[] } | Uncovered;

/**
 * The steps to take back, path by path, in byte order; `transitions` come newest first. Consecutive changes of a path
 * form one step. When something else changed the path between them, each is its own step, and merging keeps the change
 * in between.
 */
export function composeTransitions(
  transitions: Iterable<Transition>,
  wanted: (change: Change) => boolean,
): Map<BytePath, Steps> {
  const composed = new Map<BytePath, { left: Side; target: Side }[]>();
  const uncovered = new Map<BytePath, Uncovered>();
  for (const transition of transitions) {
    const changes = [
      ...("changes" in transition ? transition.changes : differences(transition.before, transition.after)),
    ];
    const unknown = new Map<BytePath, Uncovered>();
    const sides = { before: new Map<BytePath, Uncovered>(), after: new Map<BytePath, Uncovered>() };
    for (const { path, before, after } of changes) {
      if (isUncovered(before)) sides.before.set(path, before);
      if (isUncovered(after)) sides.after.set(path, after);
      if (isUncovered(before) && !isReplaced(before)) unknown.set(path, before);
      if (isUncovered(after) && (before === undefined || !isReplaced(after))) unknown.set(path, after);
    }
    for (const change of changes) {
      if (!wanted(change)) continue;
      const { path, before, after } = change;
      const reason = unknown.get(path) ?? unknownAbsence(sides, change);
      if (reason) {
        uncovered.set(path, reason);
        continue;
      }
      const steps = composed.get(path) ?? [];
      const newer = steps.at(-1);
      if (newer && sameSide(newer.target, after)) steps[steps.length - 1] = { left: newer.left, target: before };
      else steps.push({ left: after, target: before });
      composed.set(path, steps);
    }
  }
  for (const [path, steps] of composed)
    for (const { target } of steps) if (isUncovered(target)) uncovered.set(path, target);
  const paths = [...new Set([...composed.keys(), ...uncovered.keys()])].sort((a, b) => (a < b ? -1 : 1));
  return new Map(
    paths.map((path) => [
      path,
      uncovered.get(path) ?? { kind: "steps", steps: (composed.get(path) ?? []) as readonly Step[] },
    ]),
  );
}

type Side = MaybeState | Uncovered;

function sameSide(a: Side, b: Side): boolean {
  return isUncovered(a) || isUncovered(b) ? isUncovered(a) && isUncovered(b) : sameState(a, b);
}

/** Whether the path was replaced by something that no capture holds, and not just left out by a rule. */
function isReplaced({ reason }: Uncovered): boolean {
  return reason === "too-large" || reason === "special";
}

/**
 * A path that a capture does not list may exist all the same if the directory around it was left out of that capture. A
 * path that it does list is known: the agent's own tools wrote it (F24).
 */
function unknownAbsence(
  sides: Readonly<Record<"before" | "after", ReadonlyMap<BytePath, Uncovered>>>,
  { path, before, after }: Change,
): Uncovered | undefined {
  return (before ? undefined : around(sides.before, path)) ?? (after ? undefined : around(sides.after, path));
}

function around(unknown: ReadonlyMap<BytePath, Uncovered>, path: BytePath): Uncovered | undefined {
  if (unknown.size === 0) return undefined;
  for (let at = parentOf(path); at !== ""; at = parentOf(at)) {
    const reason = unknown.get(at);
    if (reason) return reason;
  }
  return undefined;
}

/** The paths that differ between two trees; both list theirs in byte order. */
function* differences(before: FileTree, after: FileTree): Generator<Change> {
  const olds = before.entries()[Symbol.iterator]();
  const news = after.entries()[Symbol.iterator]();
  let old = olds.next();
  let now = news.next();
  while (!old.done || !now.done) {
    const order = old.done ? 1 : now.done ? -1 : old.value[0] < now.value[0] ? -1 : old.value[0] > now.value[0] ? 1 : 0;
    if (order === 0 && !old.done && !now.done) {
      const [path, state] = old.value;
      if (!sameState(state, now.value[1])) yield { path, before: state, after: now.value[1] };
    } else if (order < 0 && !old.done) {
      yield { path: old.value[0], before: old.value[1], ...side("after", after.uncovered(old.value[0])) };
    } else if (!now.done) {
      yield { path: now.value[0], after: now.value[1], ...side("before", before.uncovered(now.value[0])) };
    }
    if (order <= 0) old = olds.next();
    if (order >= 0) now = news.next();
  }
}

function side<Name extends "before" | "after">(name: Name, state: FileState | Uncovered | undefined) {
  return (state ? { [name]: state } : {}) as { [key in Name]?: FileState | Uncovered };
}
