import { type Entry, preview } from "@retake/core";
import { action as listEntries } from "@retake/runtime/actions/list-entries";
import { act } from "../act.ts";
import { type Command, textOption } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageQuery } from "../list-page.ts";

export const command: Command = {
  name: "entries",
  group: "conversation",
  summary: "List the conversation, one line an entry, with the names that other commands take",
  usage: "",
  most: 0,
  options: {
    role: { type: "string", value: "role", names: "role", about: "only those of this role" },
    ...PAGE_OPTIONS,
  },
  examples: [
    ["retake entries", "all of them"],
    ["retake entries --role User", "the prompts"],
  ],
  async run(call) {
    const { thread, output } = call;
    const role = textOption(call, "role");
    const answer = await act(call, listEntries, { params: { id: thread }, query: { role, ...pageQuery(call) } });
    output.say(answer, () => {
      const entries = answer.entries as readonly Entry[];
      if (entries.length === 0) return [role === undefined ? "The conversation is empty." : "No entry of that role."];
      const rows = entries.map((entry) => [
        answer.names[entry.id] ?? entry.id,
        entry.role,
        output.ago(Date.parse(entry.ts)),
        textOf(entry, output.width),
      ]);
      return [
        ...output.table(rows),
        ...moreLine(call, answer),
        output.hint("retake edit <entry> · retake remove <entry> · retake branch <entry>"),
      ];
    });
  },
};

/**
 * The text of an entry on one line, which the table cuts at the terminal's width; for a step that only calls tools,
 * their names.
 */
function textOf(entry: Entry, width: number): string {
  const text = preview(entry, width);
  const calls = (entry.tool_calls ?? []).map(({ name }) => name).join(", ");
  const { tool_result: result, failed } = entry;
  if (result) return `${result.name} ${result.status}${text === "" ? "" : `: ${text}`}`;
  if (failed) return `${text} (failed, not sent to the model)`;
  return [text, ...(calls === "" ? [] : [`→ ${calls}`])].filter((part) => part !== "").join(" ");
}
