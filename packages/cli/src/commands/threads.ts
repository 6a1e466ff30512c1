import { type ThreadSummary, threadJson, threadNames } from "@retake/runtime";
import type { Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageOf } from "../list-page.ts";
import { ago } from "../output.ts";

export const command: Command = {
  name: "threads",
  summary: "The discussions of this workspace, most recent first",
  usage: "[--limit N] [--cursor thread]",
  most: 0,
  options: PAGE_OPTIONS,
  async run(call) {
    const { workspace, output } = call;
    const current = workspace.currentThread()?.id;
    const page = pageOf(call, workspace.threads(), ({ id }) => id);
    const threads = page.items.map((thread) => threadJson(thread, current));
    output.say({ threads, ...page.cursor }, () => {
      if (page.items.length === 0) return ["No discussion in this workspace yet. Begin one: retake run <prompt>"];
      const nameOf = threadNames(workspace, current);
      const rows = page.items.map((thread) => [
        thread.id === current ? "●" : " ",
        ago(thread.updated_at),
        shown(thread, nameOf(thread)),
      ]);
      return [
        ...output.table(rows),
        ...moreLine(call, page),
        output.style("dim", "  retake switch <thread> · retake rename <thread> <name> · retake delete <thread>"),
      ];
    });
  },
};

/** The name, and the title where that is another; how it is kept comes last. */
function shown({ title, private: kept }: ThreadSummary, name: string): string {
  return `${name}${name === title ? "" : `  ${title}`}${kept ? " (private)" : ""}`;
}
