/**
 * The instructions that the scripted model understands, one a line:
 *
 *     write <path>: <content>      append <path>: <content>
 *     delete <path>                run <shell command>
 *
 * A path ends at the first colon that is followed by a space or the end of the line, so `a:b.txt: x` is about
 * `a:b.txt`; without such a colon, at the first one. Content is taken literally, except that `\n` is a line feed.
 */
export function readInstructions(prompt: string): Instructions {
  const instructions: Instruction[] = [];
  const others: string[] = [];
  for (const line of prompt.split(/\r?\n/)) {
    const instruction = readLine(line);
    if (instruction) instructions.push(instruction);
    else if (line.trim() !== "") others.push(line.trim());
  }
  return { instructions, others };
}

export interface Instructions {
  readonly instructions: readonly Instruction[];
  /** The lines that are no instructions. */
  readonly others: readonly string[];
}

export type Instruction =
  | { readonly verb: "write" | "append"; readonly path: string; readonly content: string }
  | { readonly verb: "delete"; readonly path: string }
  | { readonly verb: "run"; readonly command: string };

function readLine(line: string): Instruction | undefined {
  const [, verb, rest = ""] = /^\s*(write|append|delete|run)\s+(.*)$/s.exec(line) ?? [];
  switch (verb) {
    case "write":
    case "append": {
      const colon = pathEnd(rest);
      const path = rest.slice(0, Math.max(colon, 0)).trim();
      return path === "" ? undefined : { verb, path, content: contentOf(rest.slice(colon + 1)) };
    }
    case "delete":
      return rest.trim() === "" ? undefined : { verb, path: rest.trim() };
    case "run":
      return rest.trim() === "" ? undefined : { verb, command: rest.trim() };
    default:
      return undefined;
  }
}

function pathEnd(text: string): number {
  const spaced = text.search(/:(\s|$)/);
  return spaced >= 0 ? spaced : text.indexOf(":");
}

function contentOf(text: string): string {
  return text.replace(/^ /, "").replaceAll("\\n", "\n");
}
