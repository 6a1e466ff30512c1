import { createInterface } from "node:readline/promises";
import { COMMANDS } from "./commands.ts";
import { words } from "./words.ts";

const WELCOME = `Retake: everything can be taken back. Without a model of your own, the embedded scripted one answers; it
understands  write <path>: <content>   append <path>: <content>   delete <path>   run <shell command>
Try one of them, then  /undo  /redo  /history  /takes   (/help lists all commands, /quit or Ctrl+D ends).`;

/**
 * The prompt in a terminal: a line is a prompt for the agent, a line with a slash is a command, by the
 * same words as on the command line.
 */
export async function interact(run: (args: string[]) => Promise<number>): Promise<void> {
  const completer = (line: string): [string[], string] => {
    const names = Object.keys(COMMANDS).map((name) => `/${name}`);
    return [names.filter((name) => name.startsWith(line)), line];
  };
  process.stdout.write(`${WELCOME}\n`);
  for (;;) {
    // Made anew for every line: a tool that asks for approval reads from the same terminal.
    const terminal = createInterface({ input: process.stdin, output: process.stdout, completer });
    const line = await new Promise<string | undefined>((resolve) => {
      terminal.once("close", () => resolve(undefined));
      terminal.question("\n› ").then(resolve, () => resolve(undefined));
    });
    terminal.close();
    if (line === undefined) return;
    const args = commandOf(line.trim());
    if (args === undefined) return;
    if (args.length > 0) await run(args);
  }
}

/** The command line that a line is; none for an empty one, undefined for the end. */
function commandOf(line: string): string[] | undefined {
  if (line === "") return [];
  if (!line.startsWith("/")) return ["run", "--", line];
  const [name = "", ...rest] = words(line.slice(1));
  return name === "quit" || name === "exit" ? undefined : [name, ...rest];
}
