import { directories, listModels, modelSettings, type ProviderModels } from "@retake/runtime";
import type { Call, Command } from "../command.ts";

export const command: Command = {
  name: "models",
  group: "setup",
  summary: "The models that are configured and reachable, those on this machine too",
  usage: "",
  apart: true,
  most: 0,
  examples: [
    ["retake models", "names that --model takes"],
    ["retake models --json", "the same for a program"],
  ],
  async run({ output, world: { environment } }) {
    const providers = await listModels(await modelSettings(directories(environment).config, environment));
    output.say({ providers }, () => [
      ...providers.flatMap((each) => lines(output, each)),
      output.hint("retake run <prompt> --model <model> · retake config model <model>"),
    ]);
  },
};

function lines(output: Call["output"], { label, status, message, models }: ProviderModels): string[] {
  if (status === "ready") return [output.style("bold", label), ...models.map((name) => `  ${name}`)];
  return [output.style("dim", `${label}: ${status === "unreachable" ? (message ?? "") : "not configured"}`)];
}
