/**
 * Replaces one text by another in a file's bytes. A file is handled as one character per byte
 * (`latin1`), so all other bytes stay as they are, valid UTF-8 or not.
 *
 * Line ends do not count when looking: LF finds CRLF. The new text takes the line ends of the text that it replaces, or
 * of the file if that text has none.
 */
export function replaceText(file: Buffer, oldText: string, newText: string, all: boolean): Replacement {
  const [wanted, put] = [bytesOf(oldText), bytesOf(newText)];
  if (wanted === put) return { kind: "same" };
  const content = file.toString("latin1");
  const matches = findAll(content, wanted);
  const [first] = matches;
  if (first === undefined) return { kind: "not-found" };
  if (matches.length > 1 && !all) {
    const lineAt = linesIn(content);
    return { kind: "several", lines: matches.map(({ start }) => lineAt(start)) };
  }
  const ofFile = prevailingLineEnd(content);
  let result = "";
  let at = 0;
  for (const { start, end } of matches) {
    const replaced = content.slice(start, end);
    const lineEnd = replaced.includes("\n") ? prevailingLineEnd(replaced) : ofFile;
    result += content.slice(at, start) + (lineEnd === "\n" ? put : put.replaceAll("\n", lineEnd));
    at = end;
  }
  result += content.slice(at);
  return {
    kind: "replaced",
    content: Buffer.from(result, "latin1"),
    count: matches.length,
    line: linesIn(content)(first.start),
  };
}

type Replacement =
  /** `same`: the texts do not differ, or in their line ends alone. */
  | { readonly kind: "same" | "not-found" }
  | { readonly kind: "several"; readonly lines: readonly number[] }
  | { readonly kind: "replaced"; readonly content: Buffer; readonly count: number; readonly line: number };

interface Range {
  readonly start: number;
  readonly end: number;
}

function bytesOf(text: string): string {
  return Buffer.from(text.replaceAll("\r\n", "\n"), "utf8").toString("latin1");
}

/** Where `wanted` is, from left to right, none overlapping; a LF in it stands for CRLF too. */
function findAll(content: string, wanted: string): Range[] {
  const joined = content.replaceAll("\r\n", "\n");
  const original = positionsIn(content);
  const ranges: Range[] = [];
  for (let at = joined.indexOf(wanted); at >= 0; at = joined.indexOf(wanted, at + wanted.length)) {
    ranges.push({ start: original(at), end: original(at + wanted.length) });
  }
  return ranges;
}

/** Turns positions in the text without its CRs into positions in the text; they must be asked in rising order. */
function positionsIn(content: string): (position: number) => number {
  let removed = 0;
  let next = content.indexOf("\r\n");
  return (position) => {
    while (next >= 0 && next - removed < position) {
      removed += 1;
      next = content.indexOf("\r\n", next + 2);
    }
    return position + removed;
  };
}

function prevailingLineEnd(text: string): "\n" | "\r\n" {
  const all = text.split("\n").length - 1;
  const crlf = text.split("\r\n").length - 1;
  return crlf * 2 > all ? "\r\n" : "\n";
}

/** Turns positions into numbers of lines; they must be asked in rising order. */
function linesIn(content: string): (position: number) => number {
  let line = 1;
  let next = content.indexOf("\n");
  return (position) => {
    for (; next >= 0 && next < position; next = content.indexOf("\n", next + 1)) line += 1;
    return line;
  };
}
