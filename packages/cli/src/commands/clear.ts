import { action as clear } from "@retake/runtime/actions/clear";
import { act } from "../act.ts";
import { sayChanged } from "../changed.ts";
import type { Command } from "../command.ts";

export const command: Command = {
  name: "clear",
  group: "conversation",
  summary: "Remove all entries of the take",
  usage: "",
  most: 0,
  examples: [
    ["retake clear", "the files stay as they are"],
    ["retake clear --thread scratch", "those of another thread"],
  ],
  async run(call) {
    sayChanged(call, await act(call, clear, { params: { id: call.thread } }));
  },
};
