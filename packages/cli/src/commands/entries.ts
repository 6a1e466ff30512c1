import { activeTake, type Entry, entries, preview } from "@retake/core";
import { entryJson, entryNames } from "@retake/runtime";
import type { Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageOf } from "../list-page.ts";
import { ago } from "../output.ts";

export const command: Command = {
  name: "entries",
  summary: "The conversation, each entry under the name that other commands take",
  usage: "[--role r] [--limit N] [--cursor entry]",
  most: 0,
  options: { role: { type: "string" }, ...PAGE_OPTIONS },
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
        ago(Date.parse(entry.ts)),
        textOf(entry),
      ]);
      return [
        ...output.table(rows),
        ...moreLine(call, page),
        output.style("dim", "  retake edit <entry> · retake remove <entry> · retake branch <entry>"),
      ];
    });
  },
};

/** What an entry says, on one line; for a step that only calls tools, which. */
function textOf(entry: Entry): string {
  const text = preview(entry);
  const calls = (entry.tool_calls ?? []).map(({ name }) => name).join(", ");
  const { tool_result: result, failed } = entry;
  if (result) return `${result.name} ${result.status}${text === "" ? "" : `: ${text}`}`;
  if (failed) return `${text} (failed, not sent to the model)`;
  return [text, ...(calls === "" ? [] : [`→ ${calls}`])].filter((part) => part !== "").join(" ");
}
