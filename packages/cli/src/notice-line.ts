import { type Notice, noticeText } from "@retake/core";
import type { Output } from "./output.ts";

/** One line that names what no undo takes back, or where a call leaves the workspace (X8). */
export function noticeLine(output: Output, notice: Notice): string {
  const text = notice.kind === "irreversible" ? `cannot be undone: ${notice.what}` : noticeText(notice);
  return `  ${output.style("red", "!")} ${text}`;
}
