import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { type Call, wrongUsage } from "./command.ts";
import { editText } from "./edit-text.ts";
import { fileProblem } from "./file-problem.ts";
import { pathIn } from "./world.ts";

/**
 * The text that a command is given: `--content`, `--file`, `-` for the standard input, otherwise what
 * the user makes of `before` in an editor.
 *
 * A file, a pipe and an editor end their last line with a newline that is not part of the text; it
 * stays only where the text before had one.
 */
export async function readText(call: Call, dash: string | undefined, before = ""): Promise<string> {
  const { world } = call;
  const { content, file } = call.options;
  if (dash !== undefined && dash !== "-")
    throw wrongUsage(`'${dash}' is one word too many. Put the text after --content.`);
  if ([content, file, dash].filter((source) => source !== undefined).length > 1)
    throw wrongUsage("Give the text once: with --content, from a file, or - for the standard input.");
  if (typeof content === "string") return content;
  if (typeof file === "string") return withoutEnd(decode(readNamed(pathIn(world, file)), file), before);
  if (dash === "-") return withoutEnd(decode(await buffer(world.input), "The standard input"), before);
  return withoutEnd(decode(editText(world, before), "The text"), before);
}

function readNamed(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw wrongUsage(`${file} ${fileProblem(error, "read")}. Nothing was changed.`);
  }
}

/** Bytes that are no text would come back as other bytes: they are refused, not mended. */
export function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw wrongUsage(`${name} is not UTF-8 text. Nothing was changed.`);
  }
}

/** An editor ends its last line with a newline, which stays only where the text before had one. */
export function withoutEnd(text: string, before: string): string {
  return before.endsWith("\n") ? text : text.replace(/\r?\n$/, "");
}
