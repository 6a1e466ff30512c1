import { type ThreadSummary, threadJson, threadNames } from "@retake/runtime";
import type { Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageOf } from "../list-page.ts";

export const command: Command = {
  name: "threads",
  group: "threads",
  summary: "The threads of this workspace, most recent first",
  usage: "",
  most: 0,
  options: PAGE_OPTIONS,
  examples: [
    ["retake threads", "all of them; ● is the current one"],
    ["retake threads --limit 1", "the most recent"],
  ],
  async run(call) {
    const { workspace, output } = call;
    const current = workspace.currentThread()?.id;
    const page = pageOf(call, workspace.threads(), ({ id }) => id);
    const threads = page.items.map((thread) => threadJson(thread, current));
    output.say({ threads, ...page.cursor }, () => {
      if (page.items.length === 0) return [output.inForm(NONE)];
      const nameOf = threadNames(workspace, current);
      const rows = page.items.map((thread) => [
        thread.id === current ? "●" : " ",
        output.ago(thread.updated_at),
        shown(thread, nameOf(thread)),
      ]);
      return [
        ...output.table(rows),
        ...moreLine(call, page),
        output.hint("retake switch <thread> · retake rename <thread> <name> · retake delete <thread>"),
      ];
    });
  },
};

const NONE = "No thread in this workspace yet. Begin one: retake run <prompt>";

/** The name, and the title where that is another; how it is kept comes last. */
function shown({ title, private: kept }: ThreadSummary, name: string): string {
  return `${name}${name === title ? "" : `  ${title}`}${kept ? " (private)" : ""}`;
}
