/**
 * How much room a text takes in a terminal: a CJK character or an emoji takes two columns, a combining mark and a colour
 * take none. The only file that knows the library. `fast-string-truncated-width` takes 1.6 ms of a command's time for the
 * first text that it measures, so texts of narrow characters are not given to it; `string-width` 8 took 25 ms.
 */
import measure from "fast-string-truncated-width";

export function textWidth(text: string): number {
  if (isNarrow(text)) return text.length;
  const plain = text.replaceAll(COLOURS, "");
  return isNarrow(plain) ? plain.length : measure(plain).width;
}

/** The beginning of a text that has room, with `…` where something was left out. Colours end where they would have. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let room = width - 1;
  let part = "";
  let isCut = false;
  for (const [cluster] of text.matchAll(CLUSTERS)) {
    const taken = textWidth(cluster);
    if (!isCut && taken > room) part += "…";
    isCut ||= taken > room;
    if (isCut && !cluster.startsWith("\u001b")) continue;
    part += cluster;
    room -= taken;
  }
  return part;
}

/** The characters of a text as people see them. A text of narrow characters is quick. */
export function clusters(text: string): Iterable<string> {
  return isNarrow(text) ? text : Array.from(text.matchAll(CLUSTERS), ([cluster]) => cluster);
}

/**
 * A colour, a flag, or a character with its marks and what is joined to it. Not `Intl.Segmenter`, which takes 27 ms to make.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const CLUSTERS = /\u001b[0-9a-f]{12}\[[0-9;]*m|\p{RI}{2}|.(?:\p{M}|\p{Emoji_Modifier}|\u200d\P{M})*/gsu;

/** As `terminal-text.ts` marks them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const COLOURS = /\u001b[0-9a-f]{12}\[[0-9;]*m/g;

/** The text with spaces after it until it is so wide. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/**
 * The text in lines that fit, broken at spaces. Lines after the first begin where the text of the first does: below its
 * indent and its mark. A word that is wider than a line is left to the terminal, so that it can be copied whole.
 */
export function wrapped(text: string, width: number): string[] {
  if (textWidth(text) <= width) return [text];
  const [lead = ""] = /^ *(?:[✓✗●·!?›] )?/u.exec(text.replaceAll(COLOURS, "")) ?? [];
  const indent = " ".repeat(Math.min(lead.length, Math.floor(width / 2)));
  const lines: string[] = [];
  let line = "";
  let isEmpty = true;
  for (const [, spaces = "", word = ""] of text.matchAll(/( *)([^ ]+)/g)) {
    if (isEmpty || textWidth(line) + spaces.length + textWidth(word) <= width) line += spaces + word;
    else {
      lines.push(line);
      line = indent + word;
    }
    // A mark alone is no line.
    isEmpty = textWidth(line) <= lead.length;
  }
  return [...lines, line];
}

/** Every character takes one column: Latin letters, and the punctuation, arrows, lines and marks that our own texts have. */
function isNarrow(text: string): boolean {
  return /^[ -~\u00a1-\u00a8\u00aa-\u00ac\u00b0-\u02ff\u2010-\u2027\u2190-\u2193\u2500-\u257f●›✓✗]*$/.test(text);
}
