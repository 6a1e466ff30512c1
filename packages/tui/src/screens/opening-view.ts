/**
 * The first frame: what an empty conversation looks like while the store is opened. It is drawn before anything else is loaded,
 * so this file imports only what draws. A test proves that it is the frame of an empty model.
 */
import { fit, keepLine, type Line, line, type Span, span, spread } from "../draw/line.ts";
import type { CtrlZ } from "../text/undo-words.ts";
import { composerLines } from "./composer-lines.ts";
import { hintLine, hintsWith, WRITING_HINTS } from "./hint-line.ts";
import type { View } from "./view.ts";

export const PLACEHOLDER = "Write a prompt, or / for commands";

export function openingView(
  { columns, rows }: { readonly columns: number; readonly rows: number },
  root: string,
  ctrlZ: CtrlZ,
): View {
  const { lines, row, column } = composerLines({ text: "", cursor: 0 }, columns, PLACEHOLDER);
  const field = [separator(columns), ...lines];
  const { header, footer } = edges(
    rows,
    headerLine([span(" Retake", "strong")], span("opening …", "quiet"), columns),
    statusLine([rootName(root)], columns),
    hintLine(hintsWith(ctrlZ, WRITING_HINTS), columns),
  );
  const height = Math.max(0, rows - header.length - footer.length - field.length);
  const body = Array.from({ length: height }, (): Line => []);
  const shown = [...header, ...body, ...field, ...footer].map((each) => fit(each, columns));
  return { lines: shown, cursor: { row: header.length + height + 1 + row, column }, hits: [] };
}

/** The lines above and below everything; on a small terminal some are left out. */
export function edges(rows: number, header: Line, status: Line, hints: Line) {
  return {
    header: rows >= 15 ? [header] : [],
    footer: [...(rows >= 15 ? [status] : []), ...(rows >= 11 ? [hints] : [])],
  };
}

export function headerLine(left: Line, right: Span, width: number): Line {
  return spread(left, [right, span(" ")], width);
}

const keepStatus = keepLine();
const keepSeparator = keepLine();

export function statusLine(parts: readonly string[], width: number): Line {
  const text = ` ${parts.filter((part) => part !== "").join(" · ")}`;
  return keepStatus(`${width}${text}`, () => fit([span(text, "quiet")], width));
}

export function rootName(root: string): string {
  return root.split("/").at(-1) || root;
}

export function separator(width: number): Line {
  return keepSeparator(String(width), () => line(span("─".repeat(width), "quiet")));
}
