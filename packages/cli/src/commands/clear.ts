import { clearEntries } from "@retake/core";
import { sayChanged } from "../changed.ts";
import type { Command } from "../command.ts";

export const command: Command = {
  name: "clear",
  summary: "Remove all entries of the take",
  usage: "",
  most: 0,
  async run(call) {
    sayChanged(call, call.workspace.store.change(call.thread, clearEntries));
  },
};
