import { directories, examine, type Problem, type Repaired, repair } from "@retake/runtime";
import manifest from "../../package.json" with { type: "json" };
import { type Command, EndedWith, EXIT } from "../command.ts";
import { type Output, plural } from "../output.ts";
import { pathIn } from "../world.ts";

export const command: Command = {
  name: "doctor",
  group: "setup",
  summary: "Check everything that is stored; --repair repairs what it can without losing anything",
  usage: "",
  apart: true,
  most: 0,
  options: { repair: { type: "boolean", about: "mend what can be mended; a copy is made first" } },
  examples: [
    ["retake doctor", "check"],
    ["retake doctor --repair", "check and mend"],
  ],
  async run({ output, options, world }) {
    const { environment, now } = world;
    const root = pathIn(world, String(options["workspace"] ?? "."));
    const at = { directories: directories(environment), environment, now, root, version: manifest.version };
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
    yield output.hint(
      `${plural(repairable, "problem")} can be repaired without losing anything: retake doctor --repair`,
    );
  }
}
