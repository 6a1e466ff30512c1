import { buffer } from "node:stream/consumers";
import type { Call } from "./command.ts";
import { decode } from "./read-text.ts";

/** After this time the command says what it waits for. */
const PATIENCE_MS = 1000;

/**
 * The prompt of a turn: the words of the command, and what is piped into it. A `-` reads the standard input whatever it is.
 * A pipe that nobody closes is waited for: half a prompt would be another one.
 */
export async function readPrompt({ args, world }: Call): Promise<string> {
  const isDash = args.at(-1) === "-";
  const words = (isDash ? args.slice(0, -1) : args).join(" ").trim();
  if (!isDash && (words === "" ? world.terminal !== undefined : !world.isPiped)) return words;
  const waiting = setTimeout(() => world.errors.write("Reading the prompt from the standard input …\n"), PATIENCE_MS);
  try {
    const piped = decode(await buffer(world.input), "The standard input").trimEnd();
    return [words, piped].filter((part) => part.trim() !== "").join("\n\n");
  } finally {
    clearTimeout(waiting);
  }
}
