import type { ActionAnswer } from "@retake/runtime/actions";
import { cut, padded, textWidth } from "@retake/tui/text";
import { type Output, plural } from "./output.ts";

type DiffedFile = ActionAnswer<"diffThread">["files"][number];

const BAR = 30;

/** Files that differ, a line each: how much of it, and a sum at the end. */
export function statLines(output: Output, files: readonly DiffedFile[]): string[] {
  const names = files.map(({ path, old_path }) => (old_path === undefined ? path : `${old_path} → ${path}`));
  const longest = Math.min(Math.max(...names.map(textWidth)), Math.max(20, output.width - BAR - 12));
  const most = Math.max(...files.map(({ additions, deletions }) => additions + deletions), 1);
  const lines = files.map((file, index) => ` ${padded(cut(names[index] ?? "", longest), longest)} | ${amount(file)}`);
  return [...lines, summary()];

  function amount({ status, additions, deletions, binary }: DiffedFile): string {
    if (binary) return `${status}, binary`;
    if (additions + deletions === 0) return status;
    const scale = Math.min(1, BAR / most);
    const bar = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round(count * scale)));
    const drawn = output.style("green", "+".repeat(bar(additions))) + output.style("red", "-".repeat(bar(deletions)));
    return `${String(additions + deletions).padStart(String(most).length)} ${drawn}`;
  }

  function summary(): string {
    const added = files.reduce((sum, { additions }) => sum + additions, 0);
    const deleted = files.reduce((sum, { deletions }) => sum + deletions, 0);
    return ` ${plural(files.length, "file")}, ${plural(added, "line")} added, ${deleted} removed`;
  }
}
