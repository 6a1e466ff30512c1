import { liveTakes } from "@retake/core";
import { takeJson } from "@retake/runtime";
import type { Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageOf } from "../list-page.ts";
import { plural } from "../output.ts";

export const command: Command = {
  name: "takes",
  group: "takes",
  summary: "The takes of the thread, grouped under their base name",
  usage: "",
  most: 0,
  options: PAGE_OPTIONS,
  examples: [
    ["retake takes", "all takes; ● is the active one"],
    ["retake takes --thread scratch", "those of another thread"],
  ],
  async run(call) {
    const { workspace, thread, output } = call;
    const all = workspace.store.read(thread, ({ state }) => liveTakes(state).map((take) => takeJson(state, take)));
    all.sort((a, b) => compare(a.base_name, b.base_name) || a.name.localeCompare(b.name, "en", { numeric: true }));
    const page = pageOf(call, all, ({ id }) => id);
    output.say({ takes: page.items, ...page.cursor }, () => {
      const rows = page.items.map(({ name, base_name, active, entries }) => [
        active ? "●" : " ",
        name === base_name ? name : `  ${name}`,
        plural(entries, "entry", "entries"),
      ]);
      return [
        ...output.table(rows),
        ...moreLine(call, page),
        output.hint("retake switch <take> · retake promote <take> <name> · retake branch <entry>"),
      ];
    });
  },
};

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
