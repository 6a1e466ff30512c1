import { resetSession } from "@retake/core";
import { sayChanged } from "../changed.ts";
import type { Command } from "../command.ts";

export const command: Command = {
  name: "reset",
  summary: "Clear the conversation, settings and lists of all takes; the files on disk and the history stay",
  usage: "",
  most: 0,
  async run(call) {
    sayChanged(call, call.workspace.store.change(call.thread, resetSession));
  },
};
