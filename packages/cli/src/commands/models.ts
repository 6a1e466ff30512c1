import type { ActionAnswer } from "@retake/runtime/actions";
import { action as listModels } from "@retake/runtime/actions/list-models";
import { act } from "../act.ts";
import type { Call, Command } from "../command.ts";

export const command: Command = {
  name: "models",
  group: "setup",
  summary: "List the models that are configured or found on this machine",
  usage: "",
  apart: true,
  most: 0,
  examples: [
    ["retake models", "names that --model takes"],
    ["retake models --json", "the same for a program"],
  ],
  async run(call) {
    const { output } = call;
    const answer = await act(call, listModels, { params: {} });
    output.say(answer, () => [
      ...answer.providers.flatMap((each) => lines(output, each)),
      output.hint("retake run <prompt> --model <model> · retake config model <model>"),
    ]);
  },
};

type Provider = ActionAnswer<"listModels">["providers"][number];

function lines(output: Call["output"], { label, status, message, models }: Provider): string[] {
  if (status === "ready") return [output.style("bold", label), ...models.map(({ name }) => `  ${name}`)];
  return [
    output.style("dim", status === "unreachable" && message !== undefined ? message : `${label}: not configured`),
  ];
}
