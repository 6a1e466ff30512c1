import type { Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";

/** The list of commands. */
export async function helpText(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
  const listed = commands.filter(({ hidden }) => !hidden);
  const width = Math.max(...listed.map(({ name }) => name.length));
  return `${[
    "Retake: a session with a coding agent in which everything can be taken back.",
    "",
    "Usage: retake                 a prompt in the terminal; the commands are slash commands there",
    "       retake <command> …     retake <command> --help says more about one",
    "",
    ...listed.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    ...EVERYWHERE,
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused because of conflicts (nothing changed), 4 not found.",
    "Names: 7 is a turn (its end, where a moment is meant; 7^ is right before it), 7.0 its prompt, 7.2 its second answer, 7.2.1 a call",
    'of that; retake history and retake entries list all names. Begin: retake run "write hello.txt: Hello!"',
  ].join("\n")}\n`;
}

export function commandHelp({ name, usage, summary, details = [] }: Command): string {
  const said = details.length > 0 ? ["", ...details] : [];
  return `${[`Usage: retake ${name} ${usage}`.trimEnd(), "", `${summary}.`, ...said, "", ...EVERYWHERE].join("\n")}\n`;
}

const EVERYWHERE = [
  "Everywhere:",
  "  --thread <id|name>   the discussion that is meant; otherwise the workspace's most recent",
  "  --workspace <dir>    the directory to work in; otherwise this one",
  "  --json               one JSON value instead of words, or JSON lines while something streams",
];
