import { type History, type HistoryItem, isUndone, line, listHistory, type Operation } from "@retake/core";

/**
 * A step for each group, newest first: a turn is one. Its id is the last operation's, so that a jump
 * leads to its end, and its description the first one's, which says what it was about.
 */
export function* historySteps(history: History): IterableIterator<HistoryItem> {
  const seen = new Set<string>();
  for (const { operation, undone } of listHistory(history)) {
    if (operation.kind === "git-noted" || seen.has(operation.group)) continue;
    seen.add(operation.group);
    const description = history.operation(operation.group)?.description ?? operation.description;
    yield { operation: { ...operation, description }, undone };
  }
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

/** Every operation of all takes, newest first. */
export function* allOperations(history: History): IterableIterator<HistoryItem> {
  const { state } = history;
  for (const operation of line(history, state.head))
    yield { operation, undone: state.spaces.has(operation.take) && isUndone(history, operation.take, operation) };
}
