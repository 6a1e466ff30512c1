import { activeTake } from "@retake/core";
import { action as branch } from "@retake/runtime/actions/branch";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
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
    const answer = await act(call, branch, { params: { id: thread }, body: { entry, ...conflictOptions(call) } });
    sayChanged(call, answer, ["  It is active now. retake takes lists them; retake switch <take> goes back."]);
  },
};
