/** Files that differ, as the lines of a detail. */
import { type Line, line, span } from "../../draw/line.ts";
import { diffSpan } from "../../markdown/code-line.ts";
import type { Detail } from "../model.ts";

export interface FileDiff {
  readonly path: string;
  readonly status: string;
  readonly old_path?: string | undefined;
  readonly binary?: boolean | undefined;
  readonly additions: number;
  readonly deletions: number;
  readonly hunks?:
    | readonly {
        readonly old_start: number;
        readonly new_start: number;
        readonly lines: readonly string[];
        readonly edits: readonly number[];
      }[]
    | undefined;
}

/** `isNamed`: the list names the file already. */
export function fileDiffDetail(
  files: readonly FileDiff[],
  before: readonly Line[] = [],
  isNamed = false,
): Omit<Detail, "key"> {
  const lines: Line[] = [...before];
  const hunks: { at: number; edits: readonly number[] }[] = [];
  for (const file of files) {
    if (!isNamed) lines.push(fileLine(file));
    if (file.binary) lines.push(line(span("  not text, or too large to compare", "quiet")));
    for (const hunk of file.hunks ?? []) {
      hunks.push({ at: lines.length, edits: hunk.edits });
      lines.push(line(span(`@@ line ${hunk.new_start} @@`, "accent")), ...hunk.lines.map((each) => [diffSpan(each)]));
    }
    lines.push([]);
  }
  return { lines, hunks };
}

export function fileLine({ path, old_path, status, additions, deletions }: FileDiff): Line {
  const name = old_path === undefined || old_path === path ? path : `${old_path} → ${path}`;
  return line(
    span(`${status} `, "quiet"),
    span(name, "strong"),
    span(` +${additions}`, "added"),
    span(` -${deletions}`, "removed"),
  );
}
