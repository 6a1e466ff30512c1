import type { JsonObject } from "@retake/core";
import { type Line, type Output, plural, verbatim } from "./output.ts";

/** The limit for a call in a list. A call that the user names is shown whole. */
const MOST_LINES = 40;
const INDENT = "    ";

/** One call with its input and its result. */
export function* callLines(
  output: Output,
  name: string,
  input: JsonObject | undefined,
  result: { readonly name: string; readonly status: string; readonly content: string },
  isWhole: boolean,
): Iterable<Line> {
  const status = result.status === "completed" ? "" : `  ${output.style("red", result.status)}`;
  yield `${output.style("cyan", "●")} ${name} ${output.style("bold", result.name)}${status}`;
  yield* folded(output, inputLines(output, input ?? {}), isWhole);
  if (result.content.trim() !== "")
    yield* folded(
      output,
      result.content
        .trimEnd()
        .split("\n")
        .map((line) => output.style("dim", line)),
      isWhole,
    );
}

/** A replaced text as a diff, a value of several lines below its name, any other value beside its name. */
function inputLines(output: Output, input: JsonObject): string[] {
  const changed = (mark: string, colour: "red" | "green", text: unknown) =>
    String(text)
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => output.style(colour, `${mark}${line}`));
  return Object.entries(input).flatMap(([field, value]) => {
    if (field === "old_text") return changed("-", "red", value);
    if (field === "new_text" || field === "content") return changed("+", "green", value);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text.includes("\n") ? [`${field}:`, ...text.split("\n").map((line) => `  ${line}`)] : [`${field}: ${text}`];
  });
}

function folded(output: Output, lines: readonly string[], isWhole: boolean): Line[] {
  const left = lines.length - MOST_LINES;
  const shown =
    isWhole || left <= 1
      ? lines
      : [
          ...lines.slice(0, MOST_LINES / 2),
          output.style("dim", `… ${plural(left, "line")} …`),
          ...lines.slice(-MOST_LINES / 2),
        ];
  return verbatim(shown.map((line) => `${INDENT}${line}`));
}
