import { activeTake, type Entry, entries, preview } from "@retake/core";
import { entryJson, entryNames } from "@retake/runtime";
import type { Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageOf } from "../list-page.ts";

export const command: Command = {
  name: "entries",
  group: "conversation",
  summary: "The conversation, an entry a line, each under the name that other commands take",
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
    const { workspace, thread, output, options } = call;
    const { page, names, empty } = workspace.store.names(thread, (scope) => {
      const { state } = scope.history;
      const all = [...entries(state, activeTake(state))];
      const list = all.filter((entry) => options["role"] === undefined || entry.role === options["role"]);
      const page = pageOf(call, list, ({ id }) => id);
      const nameOf = entryNames(scope);
      const names = Object.fromEntries(page.items.map(({ id }) => [id, nameOf(id)]));
      return { page, names, empty: all.length === 0 };
    });
    output.say({ entries: page.items.map(entryJson), names, ...page.cursor }, () => {
      if (page.items.length === 0) return [empty ? "The conversation is empty." : "No entry of that role."];
      const rows = page.items.map((entry) => [
        names[entry.id] ?? entry.id,
        entry.role,
        output.ago(Date.parse(entry.ts)),
        textOf(entry, output.width),
      ]);
      return [
        ...output.table(rows),
        ...moreLine(call, page),
        output.hint("retake edit <entry> · retake remove <entry> · retake branch <entry>"),
      ];
    });
  },
};

/** What an entry says, on one line, which the table cuts where a terminal ends; for a step that only calls tools, which. */
function textOf(entry: Entry, width: number): string {
  const text = preview(entry, width);
  const calls = (entry.tool_calls ?? []).map(({ name }) => name).join(", ");
  const { tool_result: result, failed } = entry;
  if (result) return `${result.name} ${result.status}${text === "" ? "" : `: ${text}`}`;
  if (failed) return `${text} (failed, not sent to the model)`;
  return [text, ...(calls === "" ? [] : [`→ ${calls}`])].filter((part) => part !== "").join(" ");
}
