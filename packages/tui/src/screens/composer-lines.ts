/** The text field as lines that fit, and where the cursor is in them. */
import { type Line, span } from "../draw/line.ts";
import type { Composer } from "../model/composer.ts";
import { clusters, textWidth, visible } from "../text/index.ts";

export interface ComposerLines {
  readonly lines: readonly Line[];
  readonly row: number;
  readonly column: number;
}

const PROMPT = "› ";

export function composerLines(
  { text, cursor }: Pick<Composer, "text" | "cursor">,
  width: number,
  placeholder: string,
): ComposerLines {
  const room = Math.max(4, width - PROMPT.length - 1);
  if (text === "")
    return { lines: [[span(PROMPT, "accent"), span(placeholder, "quiet")]], row: 0, column: PROMPT.length };
  const texts: string[] = [];
  let [row, column, at] = [0, 0, 0];
  let [current, wide] = ["", 0];
  const mark = () => {
    if (at <= cursor) [row, column] = [texts.length, wide];
  };
  mark();
  for (const cluster of clusters(text)) {
    if (cluster === "\n") {
      texts.push(current);
      [current, wide] = ["", 0];
    } else {
      const shown = cluster === "\t" ? "    " : visible(cluster);
      const taken = textWidth(shown);
      if (wide + taken > room) {
        texts.push(current);
        [current, wide] = ["", 0];
        if (at === cursor) [row, column] = [texts.length, 0];
      }
      current += shown;
      wide += taken;
    }
    at += cluster.length;
    mark();
  }
  texts.push(current);
  const lines = texts.map((each, index): Line => [span(index === 0 ? PROMPT : "  ", "accent"), span(each)]);
  return { lines, row, column: column + PROMPT.length };
}
