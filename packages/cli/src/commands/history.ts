import { type Operation, roleOf } from "@retake/core";
import type { ActionAnswer } from "@retake/runtime/actions";
import { action as getHistory } from "@retake/runtime/actions/get-history";
import { act } from "../act.ts";
import { actorName } from "../actor-name.ts";
import type { Call, Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageQuery } from "../list-page.ts";

export const command: Command = {
  name: "history",
  group: "history",
  summary: "List what happened, newest first; with --all, every operation of all takes",
  usage: "",
  most: 0,
  options: { all: { type: "boolean", about: "every operation, of all takes" }, ...PAGE_OPTIONS },
  examples: [
    ["retake history", "the turns and steps of this take"],
    ["retake history --all --limit 20", "the last twenty operations"],
  ],
  async run(call) {
    const { thread, output } = call;
    const all = call.options["all"] === true;
    const answer = await act(call, getHistory, { params: { id: thread }, query: { all, ...pageQuery(call) } });
    output.say(answer, () => [...table(call, answer, all), ...moreLine(call, answer), output.hint(next(answer))]);
  },
};

/** A turn is one line, under its name; with `--all` each of its operations has a line of its own. */
function table({ output }: Call, { operations, stands_at }: ActionAnswer<"getHistory">, all: boolean): string[] {
  const rows = operations.map(({ id, name, kind, turn_name, created_at, actor, description, undone }) => {
    const turn = roleOf({ kind: kind as Operation["kind"] }) === "turn" ? turn_name : undefined;
    return [
      id === stands_at ? "●" : " ",
      ...(all ? [name, turn ?? ""] : [turn ?? name]),
      output.ago(Date.parse(created_at)),
      actorName(actor),
      `${description}${undone ? " (undone)" : ""}`,
    ];
  });
  return output.table(rows).map((line, index) => (operations[index]?.undone ? output.style("dim", line) : line));
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
