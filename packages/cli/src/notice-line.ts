import type { Notice } from "@retake/core";
import type { Output } from "./output.ts";

/** One line that names what no undo takes back, or where a call leaves the workspace (X8). */
export function noticeLine(output: Output, notice: Notice): string {
  const text = "what" in notice ? `cannot be undone: ${notice.what}` : `${notice.kind}: ${notice.path}`;
  return `  ${output.style("red", "!")} ${text}`;
}
