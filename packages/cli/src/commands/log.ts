import { emptyAnswer } from "@retake/client/screen";
import type { Entry, ToolCall } from "@retake/core";
import type { ActionAnswer } from "@retake/runtime/actions";
import { action as diffThread } from "@retake/runtime/actions/diff-thread";
import { action as listEntries } from "@retake/runtime/actions/list-entries";
import { cut } from "@retake/tui/text";
import { act } from "../act.ts";
import { callLines } from "../call-lines.ts";
import { type Call, type Command, notFound, textOption } from "../command.ts";
import { type Line, type Output, plural, verbatim } from "../output.ts";
import { paged } from "../pager.ts";
import { patchLines } from "../patch-lines.ts";

export const command: Command = {
  name: "log",
  group: "conversation",
  summary: "Show the whole conversation: prompts, answers, and calls with their input and result",
  usage: "[turn|entry]",
  most: 1,
  places: ["entry"],
  details: ["At a terminal it goes through the program that PAGER names, or less."],
  options: {
    take: { type: "string", value: "take", names: "take", about: "the conversation of another take" },
  },
  examples: [
    ["retake log", "all of it"],
    ["retake log 2", "turn 2, with its diff"],
    ["retake log 1.0", "one entry"],
    ["retake log --take main_take_1", "another take"],
  ],
  async run(call) {
    const { output, args, thread } = call;
    const take = textOption(call, "take");
    const answer = await act(call, listEntries, { params: { id: thread }, query: { take } });
    const [name] = args;
    const shown = name === undefined ? answer.entries : selectEntries(answer, name);
    const names = Object.fromEntries(shown.map(({ id }) => [id, answer.names[id] ?? id]));
    const turn = /^#?(\d+)$/.exec(name ?? "")?.[1];
    const files = turn === undefined ? [] : await changedIn(call, turn);
    if (output.json) return output.say({ entries: shown, names, files: turn && files }, () => []);
    if (shown.length === 0) return output.line("The conversation is empty.");
    const calls = new Map((answer.entries as Entry[]).flatMap(callsOf));
    paged(call, (page) => {
      const whole = shown.length === 1;
      const texts = (shown as Entry[]).map((entry) =>
        entryLines(page, entry, names[entry.id] ?? entry.id, calls, whole),
      );
      const said = texts.map((lines) => [...lines]).filter((lines) => lines.length > 0);
      for (const [index, lines] of said.entries())
        for (const line of index > 0 ? ["", ...lines] : lines) page.line(line);
      for (const line of patch(page, files)) page.line(line);
    });
  },
};

type Listed = ActionAnswer<"listEntries">;
type Files = ActionAnswer<"diffThread">["files"];

/** A turn, an entry, or a call with its result; entries without a turn have their ids. */
function selectEntries({ entries, names }: Listed, name: string): Listed["entries"] {
  const asked = /^\d/.test(name) ? `#${name}` : name;
  const shown = entries.filter(({ id }) => id === name || names[id] === asked);
  const turn = /^#\d+$/.test(asked) ? entries.filter(({ id }) => names[id]?.startsWith(`${asked}.`)) : [];
  if (shown.length + turn.length > 0) return [...shown, ...turn];
  throw notFound(`There is no turn or entry ${name} in this take. retake entries lists them.`);
}

/** The file changes of the turn. */
async function changedIn(call: Call, turn: string): Promise<Files> {
  const query = { from: `#${turn}^`, to: `#${turn}`, hunks: true };
  return (await act(call, diffThread, { params: { id: call.thread }, query })).files;
}

/** For more than a screen or two there is `retake diff`. */
const MOST_CHANGED = 100;

function patch(output: Output, files: Files): Line[] {
  const changed = files.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  if (files.length === 0) return [];
  if (changed > MOST_CHANGED)
    return ["", output.hint(`${plural(changed, "line")} of ${plural(files.length, "file")} changed: retake diff`)];
  return ["", ...verbatim(patchLines(output, files))];
}

function callsOf({ tool_calls: calls = [] }: Entry): [string, ToolCall][] {
  return calls.map((call) => [call.id, call]);
}

function* entryLines(
  output: Output,
  entry: Entry,
  name: string,
  calls: ReadonlyMap<string, ToolCall>,
  whole: boolean,
): Iterable<Line> {
  const { role, content, tool_result: result, thinking_segments: thinking = [], failed } = entry;
  if (result) return yield* callLines(output, name, calls.get(result.call_id)?.input, { ...result, content }, whole);
  // An answer that only calls says nothing itself: the calls follow it.
  if (content.trim() === "" && thinking.length === 0 && entry.tool_calls?.length) return;
  const when = output.style("dim", output.ago(Date.parse(entry.ts)));
  yield `${output.style("bold", `${name} ${role}`)}  ${when}${failed ? "  failed, not sent to the model" : ""}`;
  for (const { text, redacted } of thinking) {
    const said = redacted
      ? "hidden by the provider"
      : `${plural(text.trim().split(/\s+/).length, "word")}: ${text.trim()}`;
    yield output.style("dim", cut(`  thinking, ${said.replace(/\s+/g, " ")}`, output.width));
  }
  const empty = emptyAnswer(entry);
  if (empty !== undefined) yield output.style("dim", `  ${empty}`);
  if (content.trim() !== "")
    yield* content
      .trimEnd()
      .split("\n")
      .map((line) => `  ${line}`.trimEnd());
}
