import { type Operation, roleOf } from "../session/operation.ts";
import type { TakeId } from "../session/record.ts";
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
    yield { operation, undone: cancelled || undone.left(operation, "both") === undefined };
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
