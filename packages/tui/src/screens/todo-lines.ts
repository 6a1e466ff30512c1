/** The model's list of what is to do: as the lines of its call, and in one line above the text field while a turn works on it. */
import type { Row } from "@retake/client/screen";
import type { ToolCall } from "@retake/core";
import { type Line, line, span, wrapLine } from "../draw/line.ts";

interface Item {
  readonly text: string;
  readonly status: string;
}

/** The items of a call of `todo`; undefined for other calls. */
export function todoItems({ name, input }: Pick<ToolCall, "name" | "input">): readonly Item[] | undefined {
  const { items } = input;
  if (name !== "todo" || !Array.isArray(items)) return undefined;
  return items.flatMap((item) => {
    const { text, status } = (item ?? {}) as { readonly text?: unknown; readonly status?: unknown };
    return typeof text === "string" ? [{ text, status: String(status) }] : [];
  });
}

export function todoLines(items: readonly Item[], width: number): Line[] {
  return items.flatMap(({ text, status }) => {
    const words =
      status === "done"
        ? [span("✓ ", "good"), span(text, "quiet")]
        : status === "in_progress"
          ? [span("▸ ", "accent"), span(text, "strong")]
          : [span("○ ", "quiet"), span(text)];
    return wrapLine(words, width, [span("  ")]);
  });
}

export function todoCount(items: readonly Item[]): string {
  return `${items.filter(({ status }) => status === "done").length} of ${items.length} done`;
}

/** The last list, in one line; none where everything is done. */
export function todoLine(rows: readonly Row[]): Line | undefined {
  const items = lastItems(rows);
  const next = items?.find(({ status }) => status === "in_progress") ?? items?.find(({ status }) => status !== "done");
  if (!items || !next) return undefined;
  return line(span(` ▸ ${next.text.replace(/\s+/g, " ")}`, "accent"), span(` · ${todoCount(items)}`, "quiet"));
}

const lastLists = new WeakMap<readonly Row[], readonly Item[] | null>();

function lastItems(rows: readonly Row[]): readonly Item[] | undefined {
  const known = lastLists.get(rows);
  if (known !== undefined) return known ?? undefined;
  const last = rows.findLast((row) => row.kind === "call" && todoItems(row.call) !== undefined);
  const items = last?.kind === "call" ? todoItems(last.call) : undefined;
  lastLists.set(rows, items ?? null);
  return items;
}
