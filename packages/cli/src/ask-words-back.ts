import { randomInt } from "node:crypto";
import { createInterface } from "node:readline/promises";
import type { Call } from "./command.ts";
import type { Terminal } from "./world.ts";

/** How many of the words are asked for, and how often each. */
const ASKED = 3;
const TRIES = 3;

/**
 * Asks for three of the recovery words, so that they are written down before they are gone. Where nobody can be asked it
 * does nothing: the words have been printed.
 */
export async function askWordsBack({ output, world }: Call, text: string): Promise<void> {
  const { terminal } = world;
  if (output.json || !terminal) return;
  const words = text.split(" ");
  output.line("Three of them, to be sure that they are written down (Ctrl+C ends this):");
  for (const place of somePlaces(words.length)) {
    for (let tries = 1; ; tries += 1) {
      const typed = await ask(terminal, `  word ${place}: `);
      if (typed === undefined || tries > TRIES) {
        output.line("Not checked. If the words are not written down, make new ones: retake sync rotate");
        return;
      }
      if (typed.trim().toLowerCase() === words[place - 1]) break;
      output.line(`  That is not word ${place}.`);
    }
  }
  output.line("✓ These are right.");
}

/** The typed line; undefined after Ctrl+C and Ctrl+D. */
async function ask({ input, output }: Terminal, prompt: string): Promise<string | undefined> {
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  const left = new AbortController();
  lines.on("SIGINT", () => left.abort());
  lines.on("close", () => left.abort());
  try {
    return await lines.question(prompt, { signal: left.signal });
  } catch {
    output.write("\n");
    return undefined;
  } finally {
    lines.close();
  }
}

/** Different places, in their order, counted from 1. */
function somePlaces(count: number): number[] {
  const places = new Set<number>();
  while (places.size < ASKED) places.add(randomInt(1, count + 1));
  return [...places].sort((one, two) => one - two);
}
