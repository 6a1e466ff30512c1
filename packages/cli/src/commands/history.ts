import { activeTake, canRedo, canUndo, type History, type HistoryItem, type Operation, roleOf } from "@retake/core";
import { allOperations, historySteps, operationJson, turnNumbers } from "@retake/runtime";
import { actorName } from "../actor-name.ts";
import type { Call, Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageOf } from "../list-page.ts";
import { ago } from "../output.ts";
import { shortIds } from "../short-ids.ts";

export const command: Command = {
  name: "history",
  summary: "What happened, newest first; with --all, every operation of all takes",
  usage: "[--all] [--limit N] [--cursor op]",
  most: 0,
  options: { all: { type: "boolean" }, ...PAGE_OPTIONS },
  async run(call) {
    const { workspace, thread, output } = call;
    workspace.store.read(thread, (history) => {
      const list = call.options["all"] === true ? allOperations(history) : historySteps(history);
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

function table(call: Call, history: History, items: readonly HistoryItem[]): string[] {
  const { output, workspace, thread } = call;
  const { state } = history;
  const short = shortIds(workspace.store.operationIds(thread));
  const turns = turnNumbers(state, activeTake(state));
  const at = items.some(({ operation }) => operation.id === state.head) ? state.head : standsAt(history);
  const rows = items.map(({ operation, undone }) => [
    operation.id === at ? "●" : " ",
    short(operation.id),
    ago(operation.created_at),
    actorName(operation),
    what(operation, undone, turns),
  ]);
  return output.table(rows).map((line, index) => output.style(items[index]?.undone ? "dim" : "reset", line));
}

/** Behind what is only known of git, which is not listed. */
function standsAt(history: History): string | null {
  let at = history.state.head;
  for (;;) {
    const operation: Operation | undefined = at === null ? undefined : history.operation(at);
    if (operation?.kind !== "git-noted") return at;
    at = operation.parents[0] ?? null;
  }
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
