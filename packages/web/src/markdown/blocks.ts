/**
 * Splits Markdown into blocks, so that of a text that grows only the last block is rendered again. A block ends at an empty
 * line outside of a fence, unless the next line goes on with it (a list or a quotation). A fence that is still open is
 * closed for the screen, as its last line will close it.
 */
export interface Block {
  readonly text: string;
  /** Whether no more text can change it. */
  readonly done: boolean;
  /** Of a fence: its language and its code. */
  readonly code?: { readonly language: string; readonly text: string };
}

/** A line with more backticks behind those of its beginning is code in a sentence. */
const FENCE = /^( {0,3})(`{3,}(?!.*`)|~{3,})[ \t]*(\S*)/;

export function blocksOf(text: string, finished: boolean): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let fence: { mark: string; language: string; indent: RegExp } | undefined;
  const flush = (done: boolean) => {
    const body = lines.join("\n");
    if (body.trim() !== "") blocks.push({ text: body, done });
    lines = [];
  };
  for (const line of text.split("\n")) {
    if (fence) {
      const { mark, language, indent } = fence;
      if (line.trim().startsWith(mark) && line.trim().replaceAll(mark[0] as string, "") === "") {
        blocks.push({ text: "", done: true, code: { language, text: lines.join("\n") } });
        lines = [];
        fence = undefined;
      } else lines.push(line.replace(indent, ""));
      continue;
    }
    const opened = FENCE.exec(line);
    if (opened) {
      flush(true);
      const [, indent = "", mark = "", language = ""] = opened;
      // As far in as the fence itself, as in an item of a list.
      fence = { mark, language, indent: new RegExp(`^ {0,${indent.length}}`) };
    } else if (line.trim() === "" && !continues(lines)) flush(true);
    else lines.push(line);
  }
  if (fence) blocks.push({ text: "", done: finished, code: { language: fence.language, text: lines.join("\n") } });
  else flush(finished);
  return blocks;
}

/** Lists keep their empty lines: whether the next paragraph belongs to an item is decided by what follows. */
function continues(lines: readonly string[]): boolean {
  return /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(lines[0] ?? "") || /^ {0,3}</.test(lines[0] ?? "");
}
