import { createInterface } from "node:readline/promises";
import type { Terminal } from "./world.ts";

/** Asks a question that has a yes; whatever else is answered, Ctrl+C and Ctrl+D are a no. */
export async function askYes({ input, output }: Terminal, question: string): Promise<boolean> {
  const terminal = createInterface({ input, output });
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  try {
    return /^y(es)?$/i.test((await Promise.race([terminal.question(question), closed])).trim());
  } finally {
    terminal.close();
  }
}
