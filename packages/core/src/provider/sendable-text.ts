import type { ToolCall } from "../session/entry.ts";
import type { ResultEntry } from "./pair-tools.ts";
import { sendableInput } from "./sendable-input.ts";

/** Providers refuse texts that are only whitespace, by JavaScript's or by Python's definition of whitespace. */
export function saysSomething(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Python's whitespace holds control characters
  return /[^\s\u001c-\u001f\u0085]/.test(text);
}

/** A role as the model sees it: short, and on one line. */
export function roleLabel(role: string): string {
  const line = role.toWellFormed().replace(/\s+/g, " ").trim();
  const short = line.length > 60 ? `${line.slice(0, 60).toWellFormed()}…` : line;
  return `[${short === "" ? "no role" : short}]`;
}

export function callAsText(call: ToolCall): string {
  return `[Call of the tool ${quoted(call.name)}]\n${JSON.stringify(sendableInput(call.input))}`;
}

export function resultAsText(entry: ResultEntry): string {
  const { name, status } = entry.tool_result;
  const title = `[Result of the tool ${quoted(name)}, ${oneLine(status)}]`;
  return saysSomething(entry.content) ? `${title}\n${entry.content}` : title;
}

/** A name in a sentence for the model or the user. */
export function quoted(name: string): string {
  return `'${oneLine(name)}'`;
}

function oneLine(text: string): string {
  return text.toWellFormed().replace(/\s+/g, " ").trim().slice(0, 100).toWellFormed();
}
