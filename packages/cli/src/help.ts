import { type Command, GROUPS, type Options } from "./command.ts";
import { GLOBAL_OPTIONS, optionUsage, usageOf } from "./command-usage.ts";
import { COMMANDS } from "./commands.ts";
import type { Output } from "./output.ts";

/** The list of commands. */
export async function helpLines(output: Output): Promise<string[]> {
  const commands = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
  // All groups in one table, so that they line up.
  const rows = output.facts(commands.map(({ name, summary }) => [`  ${name}`, summary]));
  const grouped = Object.entries(GROUPS).flatMap(([group, title]) => [
    "",
    output.style("bold", title),
    ...rows.filter((_, index) => commands[index]?.group === group),
  ]);
  return [
    "Retake: threads with a coding agent in which everything can be taken back.",
    "",
    ...output.facts([
      ["Usage: retake", "the terminal UI; the commands are slash commands there"],
      ["       retake --inline", "plain lines instead of a full screen, for screen readers and simple terminals"],
      ["       retake <command> …", "retake <command> --help says more about one"],
    ]),
    ...grouped,
    "",
    ...everywhere(output),
    "",
    output.style("bold", "Names"),
    "  7 is a turn (its end, where a moment is meant; 7^ is right before it), 7.0 its prompt, 7.2 its second answer, 7.2.1 a call of that; retake history and retake entries list all names.",
    "",
    output.style("bold", "Exit codes"),
    "  0 done, 1 failed, 2 wrong usage, 3 refused because of conflicts (nothing changed), 4 not found, 5 done but something was denied",
    "",
    'Begin: retake run "write hello.txt: Hello!"',
  ];
}

export function commandHelp(output: Output, command: Command): string[] {
  const { summary, details = [], examples } = command;
  const own = shownOptions(command.options ?? {});
  return [
    `Usage: ${usageOf(command)}`,
    "",
    `${summary}.`,
    ...(details.length > 0 ? ["", ...details] : []),
    ...(own.length > 0 ? ["", output.style("bold", "Options"), ...output.facts(own)] : []),
    "",
    ...everywhere(output),
    "",
    output.style("bold", "Examples"),
    ...output.facts(examples.map(([line, about]) => [`  ${line}`, about])),
  ];
}

function everywhere(output: Output): string[] {
  return [output.style("bold", "Everywhere"), ...output.facts(shownOptions(GLOBAL_OPTIONS))];
}

function shownOptions(options: Options): string[][] {
  const shown = Object.entries(options).filter(([, { hidden }]) => !hidden);
  return shown.map(([name, option]) => [`  ${optionUsage(name, option)}`, option.about]);
}
