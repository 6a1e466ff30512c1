import { type Entry, preview } from "@retake/core";
import type { ActionAnswer } from "@retake/runtime/actions";
import { action as compareTakes } from "@retake/runtime/actions/compare-takes";
import { act } from "../act.ts";
import { type Call, type Command, wrongUsage } from "../command.ts";
import { find } from "../find.ts";
import { plural } from "../output.ts";
import { sideBySide } from "../side-by-side.ts";
import { statLines } from "../stat-lines.ts";

export const command: Command = {
  name: "compare",
  group: "takes",
  summary: "Show two takes side by side: their conversations and their files",
  usage: "<take> <take>",
  most: 2,
  places: ["take", "take"],
  examples: [
    ["retake compare main main_take_1", "what differs"],
    ["retake compare main main_take_1 --json", "the same for a program"],
  ],
  async run(call) {
    const { thread, output, args } = call;
    const [first, second] = args;
    if (first === undefined || second === undefined)
      throw wrongUsage("Name two takes: retake compare <take> <take>. retake takes lists them.");
    const [a, b] = [find.take(call, first), find.take(call, second)];
    if (a.id === b.id) throw wrongUsage(`Both are ${a.name}. Name two takes; retake takes lists them.`);
    const compared = await act(call, compareTakes, { params: { id: thread, a: a.id, b: b.id } });
    output.say(compared, () => lines(call, compared));
  },
};

type ComparedTakes = ActionAnswer<"compareTakes">;

/** From this width on, two columns leave room for a sentence in each. */
const WIDE = 100;

function* lines({ output }: Call, { a, b, common, entries, names, files }: ComparedTakes): Iterable<string> {
  yield output.style("dim", `${plural(common, "entry", "entries")} in common`);
  const [left, right] = [column(entries.a as Entry[], names), column(entries.b as Entry[], names)];
  if (Number.isFinite(output.width) && output.width >= WIDE) {
    const [heads = "", ...rest] = sideBySide([a.name, ...left], [b.name, ...right], output.width);
    yield output.style("bold", heads);
    yield* rest;
  } else {
    for (const [take, own] of [[a, left] as const, [b, right] as const]) {
      yield output.style("bold", take.name);
      yield* own.map((line) => `  ${line}`);
    }
  }
  yield output.style("bold", `Files, from ${a.name} to ${b.name}`);
  yield* files.length === 0 ? ["  No file differs."] : statLines(output, files);
  yield output.hint("retake switch <take> · retake restore --take <take> --path <file> · retake promote <take> <name>");
}

function column(own: readonly Entry[], names: ComparedTakes["names"]): string[] {
  if (own.length === 0) return ["(nothing of its own)"];
  return own.map((entry) => `${names[entry.id]} ${entry.role}: ${contentOf(entry)}`);
}

/** A step that only calls tools says nothing itself. */
function contentOf(entry: Entry): string {
  const calls = entry.tool_calls?.map(({ name }) => name) ?? [];
  return entry.content.trim() === "" && calls.length > 0 ? `(calls ${calls.join(", ")})` : preview(entry);
}
