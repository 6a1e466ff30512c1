import { activeTake, branch, takeById } from "@retake/core";
import { takeJson } from "@retake/runtime";
import { sayChangedWithFiles } from "../changed.ts";
import type { Command } from "../command.ts";
import { CONFLICT_OPTIONS, CONFLICT_USAGE, conflictOptions } from "../conflict-options.ts";
import { findEntry } from "../find-entry.ts";

export const command: Command = {
  name: "branch",
  summary: "A new take with everything up to an entry, and the files as they were then",
  usage: `<entry> ${CONFLICT_USAGE}`,
  most: 1,
  options: CONFLICT_OPTIONS,
  async run(call) {
    const { workspace, thread } = call;
    const entry = workspace.store.read(thread, ({ state }) => findEntry(state, activeTake(state), call.args[0]).id);
    const take = workspace.store.identity.id();
    const done = await workspace.changeWithFiles(
      thread,
      (history, context) => branch(history, context, { entry, take }),
      conflictOptions(call),
    );
    sayChangedWithFiles(call, done, {
      answer: (state) => {
        const made = takeById(state, take);
        return made ? { take: takeJson(state, made) } : {};
      },
      lines: ["  It is active now. retake takes lists them; retake switch <take> goes back."],
    });
  },
};
