import { resolve } from "node:path";
import { directories, examine, type Problem, type Repaired, repair } from "@retake/runtime";
import manifest from "../../package.json" with { type: "json" };
import { type Command, EndedWith, EXIT } from "../command.ts";
import { type Output, plural } from "../output.ts";

export const command: Command = {
  name: "doctor",
  summary: "Check everything that is stored; --repair mends what can be mended without losing anything",
  usage: "[--repair]",
  apart: true,
  most: 0,
  options: { repair: { type: "boolean" } },
  async run({ output, options }) {
    const root = resolve(String(options["workspace"] ?? process.cwd()));
    const at = { directories: directories(), root, version: manifest.version };
    const found: Partial<Repaired> & ReturnType<typeof examine> =
      options["repair"] === true ? await repair(at) : examine(at);
    output.say(found, () => lines(output, found));
    if (!found.healthy) throw new EndedWith(EXIT.failed);
  },
};

function* lines(output: Output, found: Partial<Repaired> & { problems: readonly Problem[] }): Generator<string> {
  for (const { message } of found.repaired ?? []) yield `${output.style("green", "✓")} Repaired: ${message}`;
  for (const backup of found.backups ?? []) yield output.style("dim", `  Before that, a copy was made: ${backup}`);
  for (const { message, thread } of found.problems) {
    yield `${output.style("red", "✗")} ${message}${thread ? ` (${thread})` : ""}`;
  }
  const repairable = found.problems.filter((problem) => problem.repairable).length;
  if (found.problems.length === 0) yield `${output.style("green", "✓")} Everything that is stored is as it should be.`;
  else if (repairable > 0) {
    yield output.style(
      "dim",
      `  ${plural(repairable, "problem")} can be repaired without losing anything: retake doctor --repair`,
    );
  }
}
