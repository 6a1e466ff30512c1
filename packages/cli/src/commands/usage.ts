import { action as getUsage } from "@retake/runtime/actions/get-usage";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { plural } from "../output.ts";
import { used } from "../used.ts";

export const command: Command = {
  name: "usage",
  group: "conversation",
  summary: "Show the tokens that the thread has used, and their cost",
  usage: "",
  most: 0,
  details: [
    "It counts every turn and every summary, those that were undone too: they were paid for. The cost is known where prices are set: retake config prices.<model>.input 3 (dollars for a million tokens).",
  ],
  examples: [
    ["retake usage", "of the current thread"],
    ["retake usage --json", "with the tokens of each model"],
  ],
  async run(call) {
    const { output } = call;
    const answer = await act(call, getUsage, { params: { id: call.thread } });
    output.say(answer, () => [
      `${plural(answer.turns, "turn")}, ${used(answer.usage, answer.cost)}`,
      ...output.table(
        answer.models.map(({ model, turns, usage, cost }) => [`  ${model}`, plural(turns, "turn"), used(usage, cost)]),
      ),
    ]);
  },
};
