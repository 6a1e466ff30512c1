import { directories, listModels, modelSettings, type ProviderModels } from "@retake/runtime";
import type { Call, Command } from "../command.ts";

export const command: Command = {
  name: "models",
  summary: "The models that are configured and reachable, those on this machine too",
  usage: "",
  apart: true,
  most: 0,
  async run({ output }) {
    const providers = await listModels(await modelSettings(directories().config, process.env));
    output.say({ providers }, () => [
      ...providers.flatMap((each) => lines(output, each)),
      output.style("dim", "  retake run <prompt> --model <model> · retake config model <model>"),
    ]);
  },
};

function lines(output: Call["output"], { label, status, message, models }: ProviderModels): string[] {
  if (status === "ready") return [output.style("bold", label), ...models.map((name) => `  ${name}`)];
  return [output.style("dim", `${label}: ${status === "unreachable" ? (message ?? "") : "not configured"}`)];
}
