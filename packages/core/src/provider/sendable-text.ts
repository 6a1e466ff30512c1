import type { ToolCall } from "../session/entry.ts";
import type { Json, JsonObject } from "../values/json.ts";
import type { ResultEntry } from "./pair-tools.ts";

/** Texts and values in the form every provider takes, and readable text for what cannot be sent as itself. */

/** Providers refuse texts of whitespace alone, and count what JavaScript and what Python call whitespace. */
export function saysSomething(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Python's whitespace holds control characters
  return /[^\s\u001c-\u001f\u0085]/.test(text);
}

/** How a role is named to the model: on one line, and short. */
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

/** Deeper nesting overflows parsers (Gemini's holds a hundred levels, two or three for each of ours). */
const DEEPEST = 30;

/** A tool's input as an object that any provider can parse. The same object when it is one already. */
export function sendableInput(input: Json): JsonObject {
  const mended = mend(input, 0);
  const isPlain = typeof mended === "object" && mended !== null && !Array.isArray(mended);
  return isPlain ? (mended as JsonObject) : { input: mended };
}

function mend(value: Json, depth: number): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "(nested too deep to send)";
  if (Array.isArray(value)) {
    const items = value.map((item) => mend(item, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed = false;
  const members = Object.entries(value).map(([key, member]) => {
    const mended = [key.toWellFormed(), mend(member, depth + 1)] as const;
    changed ||= mended[0] !== key || mended[1] !== member;
    return mended;
  });
  return changed ? Object.fromEntries(members) : value;
}
