import { action as listTakes } from "@retake/runtime/actions/list-takes";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageQuery } from "../list-page.ts";
import { plural } from "../output.ts";

export const command: Command = {
  name: "takes",
  group: "takes",
  summary: "List the takes of the thread, grouped under their base names",
  usage: "",
  most: 0,
  options: PAGE_OPTIONS,
  examples: [
    ["retake takes", "all takes; ● is the active one"],
    ["retake takes --thread scratch", "those of another thread"],
  ],
  async run(call) {
    const { thread, output } = call;
    const answer = await act(call, listTakes, { params: { id: thread }, query: pageQuery(call) });
    output.say(answer, () => {
      const rows = answer.takes.map(({ name, base_name, active, entries }) => [
        active ? "●" : " ",
        name === base_name ? name : `  ${name}`,
        plural(entries, "entry", "entries"),
      ]);
      return [
        ...output.table(rows),
        ...moreLine(call, answer),
        output.hint("retake switch <take> · retake promote <take> <name> · retake branch <entry>"),
      ];
    });
  },
};
