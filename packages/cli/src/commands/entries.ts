import { activeTake, type Entry, entries, preview } from "@retake/core";
import { entryJson } from "@retake/runtime";
import type { Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageOf } from "../list-page.ts";
import { ago } from "../output.ts";

export const command: Command = {
  name: "entries",
  summary: "The conversation; the numbers name the entries for other commands",
  usage: "[--role r] [--limit N] [--cursor entry]",
  most: 0,
  options: { role: { type: "string" }, ...PAGE_OPTIONS },
  async run(call) {
    const { workspace, thread, output, options } = call;
    const all = workspace.store.read(thread, ({ state }) => [...entries(state, activeTake(state))]);
    const numbered = all.map((entry, index) => ({ entry, number: index + 1 }));
    const list = numbered.filter(({ entry }) => options["role"] === undefined || entry.role === options["role"]);
    const page = pageOf(call, list, ({ entry }) => entry.id);
    output.say({ entries: page.items.map(({ entry }) => entryJson(entry)), ...page.cursor }, () => {
      if (page.items.length === 0) return [all.length === 0 ? "The conversation is empty." : "No entry of that role."];
      const rows = page.items.map(({ entry, number }) => [
        String(number).padStart(String(all.length).length),
        entry.role,
        ago(Date.parse(entry.ts)),
        textOf(entry),
      ]);
      return [
        ...output.table(rows),
        ...moreLine(call, page),
        output.style("dim", "  retake edit <n> · retake remove <n> · retake branch <n>"),
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
