import { threadJson } from "@retake/runtime";
import type { Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageOf } from "../list-page.ts";
import { ago } from "../output.ts";
import { shortIds } from "../short-ids.ts";

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
      const short = shortIds(workspace.store.everyThread().map(({ id }) => id));
      const rows = page.items.map(({ id, title, updated_at, private: kept }) => [
        id === current ? "●" : " ",
        short(id),
        ago(updated_at),
        kept ? `${title} (private)` : title,
      ]);
      return [
        ...output.table(rows),
        ...moreLine(call, page),
        output.style("dim", "  retake switch <thread> · retake rename <thread> <name> · retake delete <thread>"),
      ];
    });
  },
};
