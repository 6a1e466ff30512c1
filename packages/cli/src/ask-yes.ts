import { askKey } from "./ask-key.ts";
import { type Call, CommandError, EXIT, wrongUsage } from "./command.ts";

/**
 * Asks before something that no undo takes back. `about` says what is lost, `question` is one line, and `next` says how to do it
 * where nobody can be asked. Throws unless the answer is yes.
 */
export async function askYes(
  { output, world }: Call,
  { about, question, next }: { readonly about: string; readonly question: string; readonly next: string },
): Promise<void> {
  if (output.json || !world.terminal) throw wrongUsage(`${about} Nothing was changed. ${next}`);
  const answer = await askKey(world.terminal, {
    show: () => output.line(about),
    showChoices: () => output.write(`${question} [y]es, [n]o: `),
    keys: { y: "yes", n: "no" },
    keep: () => {},
  });
  output.line(answer === "yes" ? "yes" : "no");
  if (answer !== "yes") throw new CommandError(EXIT.failed, "denied", `Nothing was changed. ${next}`);
}
