import {
  activeTake,
  type History,
  type HistoryItem,
  isUndone,
  type ListedOperation,
  listHistory,
  listOperations,
  type Operation,
  type OperationId,
} from "@retake/core";

/**
 * A step for each group, newest first: a turn is one. Its id is the last operation's, so that a jump
 * leads to its end, and its description the first one's, which says what it was about. With `from`, the id of a step, those
 * before it may be left out.
 */
export function* historySteps(history: History, from?: OperationId): IterableIterator<HistoryItem> {
  const begin = from === undefined ? undefined : history.operation(from);
  const seen = new Set<string>();
  for (const listed of listHistory(history, activeTake(history.state), from)) {
    const { operation } = listed;
    if (operation.kind === "git-noted" || seen.has(operation.group)) continue;
    seen.add(operation.group);
    if (begin && hasStepBefore(history, listed, begin)) continue;
    const description = history.operation(operation.group)?.description ?? operation.description;
    yield { operation: { ...operation, description }, undone: listed.undone };
  }
}

/** Whether the step of an operation comes before another one in the list: its group went on after that. */
function hasStepBefore(history: History, { operation, until }: ListedOperation, { version }: Operation): boolean {
  const group = history.group(operation.group);
  return group.some((each) => each.version > version && each.version <= until && each.take === operation.take);
}

/** The operation that the thread stands at. Skips notes about git, because they are not listed. */
export function standsAt(history: History): string | null {
  let at = history.state.head;
  for (;;) {
    const found: Operation | undefined = at === null ? undefined : history.operation(at);
    if (found?.kind !== "git-noted") return at;
    at = found.parents[0] ?? null;
  }
}

/** Every operation of all takes, newest first. With `from`, an operation, those before it may be left out. */
export function* allOperations(history: History, from?: OperationId): IterableIterator<HistoryItem> {
  const { state } = history;
  for (const operation of listOperations(history, from))
    yield { operation, undone: state.spaces.has(operation.take) && isUndone(history, operation.take, operation) };
}
