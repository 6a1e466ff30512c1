import { type History, type HistoryItem, listHistory, takes } from "@retake/core";

/**
 * A step for each group, newest first: a turn is one. Its id is the last operation's, so that a jump
 * leads to its end, and its description the first one's, which says what it was about.
 */
export function historySteps(history: History): HistoryItem[] {
  const seen = new Set<string>();
  const items: HistoryItem[] = [];
  for (const { operation, undone } of listHistory(history)) {
    if (operation.kind === "git-noted" || seen.has(operation.group)) continue;
    seen.add(operation.group);
    const description = history.operation(operation.group)?.description ?? operation.description;
    items.push({ operation: { ...operation, description }, undone });
  }
  return items;
}

/** Every operation of all takes, newest first. */
export function allOperations(history: History): HistoryItem[] {
  const undone = new Set<string>();
  for (const { id: take } of takes(history.state)) {
    if (!history.state.spaces.has(take)) continue;
    for (const item of listHistory(history, take))
      if (item.undone && item.operation.take === take) undone.add(item.operation.id);
  }
  const items: HistoryItem[] = [];
  for (let at = history.state.head; at !== null; ) {
    const operation = history.operation(at);
    if (!operation) break;
    items.push({ operation, undone: undone.has(operation.id) });
    at = operation.parents[0] ?? null;
  }
  return items;
}
