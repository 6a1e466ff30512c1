/**
 * Markdown as lines of a terminal. It is read in blocks (a paragraph, a list item, a fence), and a block that was shown at this
 * width is not made again: of an answer that grows only the last block is new. What is no Markdown is shown as it is.
 */
import { type Line, line, lineWidth, type Span, span, type Tone, wrapLine } from "../draw/line.ts";
import { codeLine } from "./code-line.ts";
import { tableLength, tableLines } from "./table-lines.ts";

interface Block {
  readonly kind: "text" | "fence";
  readonly lines: readonly string[];
  readonly language: string;
}

/** Every line begins with `indent`, which takes no part of the width. */
export function markdownLines(text: string, width: number, indent = ""): Line[] {
  const isGrown = grown?.width === width && grown.indent === indent && text.startsWith(grown.text);
  const known = isGrown && grown ? grown : { text: "", lines: [] };
  const { blocks, finished, length } = blocksOf(text.slice(known.text.length));
  const made = blocks.map((block) => blockLines(block, width, indent));
  const before = finished === 0 ? known.lines : [...known.lines, ...made.slice(0, finished).flat()];
  if (length > 0) grown = { width, indent, text: text.slice(0, known.text.length + length), lines: before };
  return [...before, ...made.slice(finished).flat()];
}

/** The finished blocks of the last text: an answer that grows begins with them. */
let grown:
  | { readonly width: number; readonly indent: string; readonly text: string; readonly lines: readonly Line[] }
  | undefined;

const MOST_KNOWN = 1000;
const known = new Map<string, readonly Line[]>();

function blockLines(block: Block, width: number, indent: string): readonly Line[] {
  const key = `${width} ${indent} ${block.kind} ${block.language} ${block.lines.join("\n")}`;
  const found = known.get(key);
  if (found) return found;
  const lines = block.kind === "fence" ? fenceLines(block, width) : textBlockLines(block.lines, width);
  const lead = span(indent);
  const made = indent === "" ? lines : lines.map((each): Line => [lead, ...each]);
  if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value as string);
  known.set(key, made);
  return made;
}

interface Blocks {
  readonly blocks: readonly Block[];
  /** How many of them cannot change any more whatever follows, and how long their text is. */
  readonly finished: number;
  readonly length: number;
}

function blocksOf(text: string): Blocks {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let [finished, length, at] = [0, 0, 0];
  let fence: { readonly mark: string; readonly language: string } | undefined;
  const end = (kind: Block["kind"], language = "") => {
    if (lines.length > 0 || kind === "fence") blocks.push({ kind, lines, language });
    lines = [];
  };
  const all = text.split("\n");
  for (const [index, whole] of all.entries()) {
    const each = whole.replace(/\r$/, "");
    at += whole.length + 1;
    const isEnded = index < all.length - 1;
    const [, mark, language = ""] = /^\s*(```+|~~~+)\s*([\w+#.-]*)/.exec(each) ?? [];
    if (fence) {
      if (mark?.startsWith(fence.mark) && language === "") {
        end("fence", fence.language);
        fence = undefined;
        if (isEnded) [finished, length] = [blocks.length, at];
      } else lines.push(each);
    } else if (mark !== undefined) {
      end("text");
      fence = { mark, language };
    } else {
      lines.push(each);
      if (each.trim() !== "") continue;
      end("text");
      if (isEnded) [finished, length] = [blocks.length, at];
    }
  }
  // A fence that is not closed yet is one all the same: the answer goes on.
  if (fence) end("fence", fence.language);
  else end("text");
  return { blocks, finished, length };
}

function fenceLines({ lines, language }: Block, width: number): Line[] {
  const bar = span("│ ", "quiet");
  return lines.flatMap((each) =>
    wrapLine(codeLine(each, language), Math.max(1, width - 2)).map((part) => [bar, ...part]),
  );
}

function textBlockLines(lines: readonly string[], width: number): Line[] {
  const made: Line[] = [];
  for (let at = 0; at < lines.length; ) {
    const rows = tableLength(lines, at);
    if (rows > 0) made.push(...tableLines(lines.slice(at, at + rows), width, inline));
    else made.push(...textLines(lines[at] ?? "", width));
    at += Math.max(1, rows);
  }
  return made;
}

function textLines(text: string, width: number): Line[] {
  const heading = /^(#{1,6}) +(.*)$/.exec(text);
  if (heading) return wrapLine(inline(heading[2] ?? "", "heading"), width);
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(text)) return [line(span("─".repeat(Math.min(width, 40)), "quiet"))];
  const quote = /^ {0,3}> ?(.*)$/.exec(text);
  if (quote) return wrapLine([span("▏ ", "quiet"), ...inline(quote[1] ?? "", "quiet")], width, [span("▏ ", "quiet")]);
  const item = /^(\s*)([-*+]|\d{1,9}[.)])( +)(.*)$/.exec(text);
  if (item) {
    const [, indent = "", mark = "", , rest = ""] = item;
    const [, box, after] = /^\[([ xX])\] (.*)$/.exec(rest) ?? [];
    const shown = box === undefined ? (/\d/.test(mark) ? mark : "•") : box === " " ? "☐" : "☑";
    const lead = line(span(`${indent}${shown} `, "accent"));
    return wrapLine([...lead, ...inline(after ?? rest)], width, [span(" ".repeat(lineWidth(lead)))]);
  }
  const indent = /^\s*/.exec(text)?.[0] ?? "";
  return wrapLine(inline(text), width, indent === "" ? [] : [span(indent)]);
}

// Code, strong, a link, emphasis. Underscores inside of words are part of them.
const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)|(?<![\w*])\*([^*\s][^*]*)\*(?!\w)|(?<!\w)_([^_\s][^_]*)_(?!\w)/g;

function inline(text: string, tone: Tone = "plain"): Line {
  const spans: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, label, address, star, under] = match;
    spans.push(span(text.slice(at, match.index), tone));
    if (code !== undefined) spans.push(span(code, "code"));
    else if (strong !== undefined) spans.push(span(strong, "strong"));
    else if (label !== undefined)
      spans.push(span(label, "accent"), span(label === address ? "" : ` (${address})`, "quiet"));
    else spans.push(span(star ?? under ?? "", tone === "plain" ? "strong" : tone));
    at = match.index + whole.length;
  }
  spans.push(span(text.slice(at), tone));
  return spans.filter((each) => each.text !== "");
}
