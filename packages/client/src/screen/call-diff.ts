import type { JsonObject } from "@retake/core";

/** The lines that a `write` or `edit` takes away and brings, with `-` and `+`, and those around them; none for other calls. */
export function callDiff(name: string, input: JsonObject): readonly string[] {
  if (name === "write") return linesOf(input["content"]).map((line) => `+${line}`);
  if (name !== "edit") return [];
  const edits = Array.isArray(input["edits"]) ? (input["edits"] as (JsonObject | null)[]) : [input];
  return edits.flatMap((edit) => editDiff(linesOf(edit?.["old_text"]), linesOf(edit?.["new_text"])));
}

/** How many lines of a diff bring and take away. */
export function countSigns(lines: readonly string[]): { readonly additions: number; readonly deletions: number } {
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { additions: count("+"), deletions: count("-") };
}

/** An edit names more lines than it changes, so that its place is found: the first and last ones that are equal stay. */
function editDiff(before: readonly string[], after: readonly string[]): string[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    ...before.slice(0, start).map((line) => ` ${line}`),
    ...before.slice(start, before.length - end).map((line) => `-${line}`),
    ...after.slice(start, after.length - end).map((line) => `+${line}`),
    ...before.slice(before.length - end).map((line) => ` ${line}`),
  ];
}

function linesOf(text: unknown): string[] {
  return typeof text === "string" && text !== "" ? text.replace(/\n$/, "").split("\n") : [];
}
