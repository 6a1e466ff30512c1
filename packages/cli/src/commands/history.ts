import {
  activeTake,
  canRedo,
  canUndo,
  type History,
  type HistoryItem,
  listHistory,
  type Operation,
  roleOf,
  takes,
} from "@retake/core";
import type { Call, Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageOf } from "../list-page.ts";
import { actorName, operationJson } from "../operation-json.ts";
import { ago } from "../output.ts";
import { shortIds } from "../short-ids.ts";
import { turnNumbers } from "../turn-numbers.ts";

export const command: Command = {
  name: "history",
  summary: "What happened, newest first; with --all, every operation of all takes",
  usage: "[--all] [--limit N] [--cursor op]",
  most: 0,
  options: { all: { type: "boolean" }, ...PAGE_OPTIONS },
  async run(call) {
    const { retake, thread, output } = call;
    retake.read(thread, (history) => {
      const list = call.options["all"] === true ? allOperations(history) : steps(history);
      const page = pageOf(call, list, ({ operation }) => operation.id);
      const can = { can_undo: canUndo(history), can_redo: canRedo(history), head: history.state.head };
      const operations = page.items.map(({ operation, undone }) => ({ ...operationJson(operation, thread), undone }));
      output.say({ operations, ...can, ...page.cursor }, () => [
        ...table(call, history, page.items),
        ...moreLine(call, page),
        output.style("dim", next(can)),
      ]);
    });
  },
};

/**
 * A step for each group: a turn is one. Its id is the last operation's, so that a jump leads to its
 * end, and its description the first one's, which says what it was about.
 */
function steps(history: History): HistoryItem[] {
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

function allOperations(history: History): HistoryItem[] {
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

function table(call: Call, { state }: History, items: readonly HistoryItem[]): string[] {
  const { output, retake, thread } = call;
  const short = shortIds(retake.operationIds(thread));
  const turns = turnNumbers(state, activeTake(state));
  const rows = items.map(({ operation, undone }) => [
    operation.id === state.head ? "●" : " ",
    short(operation.id),
    ago(operation.created_at),
    actorName(operation),
    what(operation, undone, turns),
  ]);
  return output.table(rows).map((line, index) => output.style(items[index]?.undone ? "dim" : "reset", line));
}

function what(operation: Operation, undone: boolean, turns: ReadonlyMap<string, number>): string {
  const number = roleOf(operation) === "turn" ? turns.get(operation.turn_id ?? "") : undefined;
  const numbered = number === undefined ? "" : `[${number}] `;
  return `${numbered}${operation.description}${undone ? " (undone)" : ""}`;
}

function next({ can_undo, can_redo }: { can_undo: boolean; can_redo: boolean }): string {
  const commands = [
    ...(can_undo ? ["retake undo"] : []),
    ...(can_redo ? ["retake redo"] : []),
    "retake show <op>",
    "retake jump <op>",
    ...(can_undo ? ["retake revert <op|turn>"] : []),
  ];
  return `  ${commands.join(" · ")}`;
}
