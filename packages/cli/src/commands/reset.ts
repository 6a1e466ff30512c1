import { action as reset } from "@retake/runtime/actions/reset";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import type { Command } from "../command.ts";

export const command: Command = {
  name: "reset",
  group: "conversation",
  summary: "Clear the conversation, settings and lists of all takes; the files on disk and the history stay",
  usage: "",
  most: 0,
  examples: [
    ["retake reset", "one undo brings everything back"],
    ["retake reset --thread scratch", "another thread"],
  ],
  async run(call) {
    sayChanged(call, await act(call, reset, { params: { id: call.thread } }));
  },
};
