import { canRedo, canUndo, type History, type HistoryItem, type Operation, roleOf } from "@retake/core";
import { allOperations, historySteps, operationJson } from "@retake/runtime";
import { actorName } from "../actor-name.ts";
import type { Call, Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageOf } from "../list-page.ts";

export const command: Command = {
  name: "history",
  group: "history",
  summary: "What happened, newest first; with --all, every operation of all takes",
  usage: "",
  most: 0,
  options: { all: { type: "boolean", about: "every operation, of all takes" }, ...PAGE_OPTIONS },
  examples: [
    ["retake history", "the turns and steps of this take"],
    ["retake history --all --limit 20", "the last twenty operations"],
  ],
  async run(call) {
    const { workspace, thread, output } = call;
    workspace.store.names(thread, (scope) => {
      const { history } = scope;
      const all = call.options["all"] === true;
      const list = all ? allOperations(history) : historySteps(history);
      const page = pageOf(call, list, ({ operation }) => operation.id);
      const can = { can_undo: canUndo(history), can_redo: canRedo(history), head: history.state.head };
      const operations = page.items.map(({ operation, undone }) => ({ ...operationJson(operation, scope), undone }));
      output.say({ operations, ...can, ...page.cursor }, () => [
        ...table(call, history, page.items, operations, all),
        ...moreLine(call, page),
        output.hint(next(can)),
      ]);
    });
  },
};

type Named = Pick<ReturnType<typeof operationJson>, "name" | "turn_name">;

/** A turn is one line, under its name; with `--all` each of its operations has a line of its own. */
function table(
  { output }: Call,
  history: History,
  items: readonly HistoryItem[],
  names: readonly Named[],
  all: boolean,
): string[] {
  const { head } = history.state;
  const at = items.some(({ operation }) => operation.id === head) ? head : standsAt(history);
  const rows = items.map(({ operation, undone }, index) => {
    const { name = "", turn_name } = names[index] ?? {};
    const turn = roleOf(operation) === "turn" ? turn_name : undefined;
    const said = `${operation.description}${undone ? " (undone)" : ""}`;
    return [
      operation.id === at ? "●" : " ",
      ...(all ? [name, turn ?? ""] : [turn ?? name]),
      output.ago(operation.created_at),
      actorName(operation),
      said,
    ];
  });
  return output.table(rows).map((line, index) => (items[index]?.undone ? output.style("dim", line) : line));
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

function next({ can_undo, can_redo }: { can_undo: boolean; can_redo: boolean }): string {
  const commands = [
    ...(can_undo ? ["retake undo"] : []),
    ...(can_redo ? ["retake redo"] : []),
    "retake show <name>",
    "retake jump <name>",
    ...(can_undo ? ["retake revert <name>"] : []),
  ];
  return commands.join(" · ");
}
