import type { PastSpace } from "../session/diff.ts";
import { groupId, recordedRole } from "../session/group-record.ts";
import { lastRedoable, lastUndoable } from "../session/live-groups.ts";
import { type Operation, type OperationId, roleOf } from "../session/operation.ts";
import type { TakeId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { recordOf } from "../session/state.ts";
import { activeTake } from "../session/view.ts";
import { type History, line } from "./history.ts";

/** S1: the history of a take, newest first. */
export interface HistoryItem {
  readonly operation: Operation;
  /** True when it was taken back and not redone. */
  readonly undone: boolean;
}

/** An item whose state is read when it is asked for. */
export interface ListedOperation extends HistoryItem {
  /** The last version up to which the take has operations of the take that this one was made in. */
  readonly until: number;
}

/** With `from`, an operation of the list, operations before it are left out where that makes the list cheaper. */
export function* listHistory(
  history: History,
  take: TakeId = activeTake(history.state),
  from?: OperationId,
): IterableIterator<ListedOperation> {
  for (const { operation, until } of takeLine(history, take, from))
    yield {
      operation,
      until,
      get undone() {
        return isUndone(history, take, operation);
      },
    };
}

/** Every operation of all takes, newest first; `from` as in `listHistory`. */
export function* listOperations(history: History, from?: OperationId): IterableIterator<Operation> {
  yield* line(history, beginning(history, from)?.id ?? history.state.head);
}

/** Whether the changes of an operation in a take were taken back and not redone. */
export function isUndone(history: History, take: TakeId, operation: Operation): boolean {
  return recordedRole(operation) !== undefined && !isInForce(history, take, operation);
}

/**
 * The operations of a take, newest first: those made in it, those of the thread as a whole, and, before the branch that
 * made the take, those of the take it came from.
 *
 *     main    A ── B ── C ── D ── E ── H
 *                       └ branch        main_take_1: G, F, branch, C, B, A
 *     take_1            F ── G
 *
 * (A thread has one log, so there all of them are in one row: A B C branch F D G E H.)
 */
function* takeLine(
  history: History,
  take: TakeId,
  first?: OperationId,
): IterableIterator<{ readonly operation: Operation; readonly until: number }> {
  const begin = beginning(history, first);
  let [space, until] = [take, Number.MAX_SAFE_INTEGER];
  for (let head = history.state.head; head !== null; ) {
    const isLater = begin?.take === space && begin.version < (history.operation(head)?.version ?? 0);
    const from: OperationId = isLater ? begin.id : head;
    head = null;
    for (const operation of history.lineOf?.(from, space, until) ?? line(history, from)) {
      const creation = madeBy(operation, space);
      const own = operation.take === space || operation.scope === "thread" || creation;
      if (own && operation.version <= until) yield { operation, until };
      if (!creation) continue;
      [head, space, until] = [creation.operation, creation.take, Math.min(until, creation.until ?? until)];
      break;
    }
  }
}

/** The operation at which a list can begin: where the lines are not stored, every list begins at the head. */
function beginning(history: History, from: OperationId | undefined): Operation | undefined {
  const operation = from === undefined ? undefined : history.operation(from);
  return operation && history.lineOf?.(operation.id, operation.take, operation.version) && operation;
}

/**
 * Finds the take and operation where a take's line continues before an operation that copied its space from elsewhere:
 * a branch, or a merge that took the space from another machine's line. A take that was removed and came back unchanged
 * continues in the log itself.
 */
function madeBy({ diff, parents }: Operation, space: TakeId): PastSpace | undefined {
  const change = diff.spaces?.find(({ take }) => take === space);
  const from = change?.after;
  if (!change || !from || from === "empty") return undefined;
  const merged = from.operation === parents[1];
  return merged || (change.before === null && from.take !== space) ? from : undefined;
}

function isInForce(history: History, take: TakeId, { group, version, id }: Operation): boolean {
  const first = id === group ? version : (history.operation(group)?.version ?? 0);
  return [groupId(take, first), groupId(undefined, first)].some(
    (record) => recordOf(history.state, record)?.["id"] === group,
  );
}

export function canUndo({ state }: History, take: TakeId = activeTake(state)): boolean {
  return lastUndoable(state, take) !== undefined;
}

export function canRedo({ state }: History, take: TakeId = activeTake(state)): boolean {
  return lastRedoable(state, take) !== undefined;
}

/** The operations since a version that a client saw, oldest first. A refusal of a stale write lists them. */
export function changesSince(history: History, version: number): Operation[] {
  const changes: Operation[] = [];
  for (const operation of line(history, history.state.head)) {
    if (operation.version <= version) break;
    changes.push(operation);
  }
  return changes.reverse();
}

/** The most operations that a refusal lists. */
const NAMED = 50;

/**
 * Refuses a request that was decided on an older version, and lists the operations since. Notes do not count: no user
 * decided them, and a file saved in an editor meanwhile does not make a decision wrong.
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
