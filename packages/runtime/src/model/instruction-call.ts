import { posix } from "node:path";
import type { JsonObject } from "@retake/core";
import type { Instruction } from "./instructions.ts";

/**
 * The tool call that carries out an instruction. Calls that write run one after another, so one step can contain all.
 */
export function instructionCall(instruction: Instruction): { readonly name: string; readonly input: JsonObject } {
  switch (instruction.verb) {
    case "write":
      return { name: "write", input: { path: instruction.path, content: instruction.content } };
    case "append":
      return bash(appendCommand(instruction.path, instruction.content));
    case "delete":
      return bash(`rm -r -- ${shellWord(instruction.path)}`);
    case "run":
      return bash(instruction.command);
  }
}

function bash(command: string): { readonly name: string; readonly input: JsonObject } {
  return { name: "bash", input: { command } };
}

/**
 * By the shell and not by reading and writing: `read` shows a part of the file, by lines, so it does not tell whether
 * the file ends with a line feed; and the rest of the file would pass through the model. printf's format writes the
 * line feeds, which keeps the command on one line for the user who approves it.
 */
function appendCommand(path: string, content: string): string {
  const lines = content.split("\n");
  const format = shellWord(lines.map(() => "%s").join("\\n"));
  const print = `printf ${format} ${lines.map(shellWord).join(" ")} >> ${shellWord(path)}`;
  const folder = posix.dirname(path);
  return folder === "." || folder === "/" ? print : `mkdir -p -- ${shellWord(folder)} && ${print}`;
}

/** Quotes a text as one word for a shell; unquoted when that is the same. */
function shellWord(text: string): string {
  return /^[\w%+,./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
