import type { JsonObject } from "@retake/core";

/** The lines that a `write` or `edit` takes away and brings, with `-` and `+`; none for other calls. */
export function callDiff(name: string, input: JsonObject): readonly string[] {
  if (name === "write") return signed("+", input["content"]);
  if (name !== "edit") return [];
  const edits = Array.isArray(input["edits"]) ? (input["edits"] as JsonObject[]) : [input];
  return edits.flatMap((edit) => [...signed("-", edit["old_text"]), ...signed("+", edit["new_text"])]);
}

/** How many lines of a diff bring and take away. */
export function countSigns(lines: readonly string[]): { readonly additions: number; readonly deletions: number } {
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { additions: count("+"), deletions: count("-") };
}

function signed(sign: string, text: unknown): string[] {
  if (typeof text !== "string" || text === "") return [];
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${sign}${line}`);
}
