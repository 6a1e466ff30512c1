import type { ActionAnswer } from "@retake/runtime/actions";
import { action as blameFile, MOST_BYTES } from "@retake/runtime/actions/blame-file";
import { action as readFile } from "@retake/runtime/actions/read-file";
import { padded } from "@retake/tui/text";
import { act } from "../act.ts";
import { type Command, textOption, wrongUsage } from "../command.ts";
import { verbatim } from "../output.ts";
import { workspacePath } from "../workspace-path.ts";

/** The writers of lines that no turn of the thread wrote, as people call them. */
const OTHERS = { between: "outside", before: "older" } as const;

export const command: Command = {
  name: "blame",
  group: "files",
  summary: "Show which turn wrote each line of a file",
  usage: "<path>",
  most: 1,
  details: [
    "outside stands for lines that you, another thread or a merge wrote between turns, older for lines from before the thread.",
  ],
  options: { at: { type: "string", value: "point", names: "point", about: "the file as it was then, instead of now" } },
  examples: [
    ["retake blame notes.txt", "which prompt wrote each line"],
    ["retake blame notes.txt --at 1", "the same at the end of turn 1"],
  ],
  async run(call) {
    const { output } = call;
    const [named] = call.args;
    if (named === undefined) throw wrongUsage("Name a file: retake blame <path>");
    const at = textOption(call, "at") ?? "now";
    const params = { id: call.thread };
    const path = workspacePath(call, named);
    const answer = await act(call, blameFile, { params, query: { path, at } });
    if (output.json) return output.say(answer, () => []);
    const { content, encoding, size } = await act(call, readFile, { params, query: { path, at, limit: MOST_BYTES } });
    if (size === 0) return output.line(`${path} is empty.`);
    output.say(answer, () => [
      ...verbatim(blamedLines(answer.lines, Buffer.from(content, encoding).toString())),
      "",
      ...output.table(answer.turns.map(({ name, prompt }) => [output.style("bold", name), prompt])),
      output.hint("retake show <turn> · retake log <turn> · retake revert <turn> --path <path>"),
    ]);
  },
};

/** Each line after its writer and its number. */
function* blamedLines(runs: ActionAnswer<"blameFile">["lines"], content: string): Iterable<string> {
  const lines = content.replace(/\n$/, "").split("\n");
  const writers = runs.map(({ by, turn_name: name }) => (by === "turn" ? (name ?? "") : OTHERS[by]));
  const width = Math.max(...writers.map(({ length }) => length));
  const digits = String(lines.length).length;
  for (const [index, { start, lines: count }] of runs.entries())
    for (let number = start; number < start + count; number += 1)
      yield `${padded(writers[index] ?? "", width)}  ${String(number).padStart(digits)}  ${lines[number - 1] ?? ""}`;
}
