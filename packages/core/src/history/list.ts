import { type Operation, roleOf } from "../session/operation.ts";
import type { TakeId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake } from "../session/view.ts";
import { UndoneGroups } from "./groups.ts";
import type { History } from "./history.ts";
import { redoable } from "./redo-plan.ts";
import { planUndo } from "./undo-plan.ts";
import { walk } from "./walk.ts";

/** S1: the history of a take, newest first. */
export interface HistoryItem {
  readonly operation: Operation;
  /** It was taken back and not redone. */
  readonly undone: boolean;
}

export function* listHistory(
  history: History,
  take: TakeId = activeTake(history.state),
): IterableIterator<HistoryItem> {
  const undone = new UndoneGroups();
  for (const step of walk(history, take)) {
    const { operation } = step;
    undone.pass(step);
    const cancelled = roleOf(operation) === "undo" && undone.isCancelled(operation);
    yield { operation, undone: cancelled || undone.left(step, "both") === undefined };
  }
}

export function canUndo(history: History, take: TakeId = activeTake(history.state)): boolean {
  return planUndo(history, { take, steps: true }).kind === "plan";
}

export function canRedo(history: History, take: TakeId = activeTake(history.state)): boolean {
  return redoable(history, take, 1).length > 0;
}

/** What happened since a version that a client saw (stale writes are refused with it), oldest first. */
export function changesSince(history: History, version: number): Operation[] {
  const changes: Operation[] = [];
  for (let at = history.state.head; at !== null; ) {
    const operation = history.operation(at);
    if (!operation || operation.version <= version) break;
    changes.push(operation);
    at = operation.parents[0] ?? null;
  }
  return changes.reverse();
}

/** As many of what changed as a refusal names. */
const NAMED = 50;

/**
 * Refuses what was decided on a version that the thread has left, and says what happened since. Notes do not
 * count: nobody decided them, and a file that the user saved meanwhile makes no decision wrong.
 */
export function staleRefusal(history: History, expected: number | undefined): Refusal | undefined {
  const { version } = history.state;
  if (expected === undefined || expected === version) return undefined;
  const since = changesSince(history, expected).filter((operation) => roleOf(operation) !== "note");
  if (expected < version && since.length === 0) return undefined;
  const named = since.slice(-NAMED).map(({ id, kind, description }) => ({ id, kind, description }));
  return refuse(
    "stale-version",
    `The thread has changed: it is at version ${version}, not ${expected}. Nothing was changed; read it again and repeat.`,
    { expected, actual: version, operations: named },
  );
}
