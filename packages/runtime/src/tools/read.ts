import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open, readdir, stat } from "node:fs/promises";
import { numberIn, stringIn } from "./check-input.ts";
import { count } from "./cut-text.ts";
import { completed, defineTool, failed } from "./define-tool.ts";
import { explainMissing } from "./find-similar-names.ts";
import { longerSide } from "./image-size.ts";
import { LARGEST_IMAGE, LONGEST_SIDE, mediaType } from "./image-type.ts";
import { LineWindow } from "./line-window.ts";
import { factOf, isKept, type Located, locatePath, strayed } from "./locate-path.ts";
import { pathField, pathProblemIn } from "./path-field.ts";
import { isBinary, textEncoding } from "./text-encoding.ts";
import type { ToolEnd, ToolRun } from "./tool.ts";

/** Shows a text file, or a part of it, with line numbers; or an image. */
export const read = defineTool({
  name: "read",
  description:
    "Reads a text file. Lines come numbered, `number<tab>text`, at most 2,000 at once: read on with offset (a line number) and limit. A PNG, JPEG, GIF or WebP image is shown as an image.",
  input: {
    type: "object",
    properties: {
      path: pathField,
      offset: { type: "integer", minimum: 1, description: "The first line to show, from 1." },
      limit: { type: "integer", minimum: 1, description: "How many lines to show." },
    },
    required: ["path"],
    additionalProperties: false,
  },
  check: (input) => pathProblemIn(stringIn(input, "path")),
  async examine(input, place) {
    const located = locatePath(stringIn(input, "path") ?? "", place);
    return { writes: false, paths: isKept(located, place) ? [] : [factOf(located)], irreversible: [] };
  },
  async run(input, run) {
    const located = locatePath(stringIn(input, "path") ?? "", run);
    const stray = isKept(located, run) ? undefined : strayed(located, run);
    if (stray !== undefined) return failed(stray);
    const first = numberIn(input, "offset") ?? 1;
    const most = Math.min(numberIn(input, "limit") ?? MOST_LINES, MOST_LINES);
    return await readLocated(located, first, most, run);
  },
});

const MOST_LINES = 2000;
const MOST_CHARACTERS = 100_000;
const PIECE_SIZE = 256 * 1024;
/** Past this the rest of a file is not read just to count its lines. */
const COUNTED_BYTES = 64 * 1024 * 1024;

async function readLocated(located: Located, first: number, most: number, run: ToolRun): Promise<ToolEnd> {
  const stats = await stat(located.absolute).catch(() => undefined);
  if (stats === undefined) return failed(explainMissing(located, run.root));
  if (stats.isDirectory()) return failed(await explainDirectory(located));
  if (!stats.isFile()) return failed(`${located.given} is a device, pipe or socket, not a file.`);
  // Without waiting: a pipe that took the file's place in between would never open.
  const handle = await open(located.absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await readLines(handle, located, new LineWindow(first, most, MOST_CHARACTERS), first, run);
  } finally {
    await handle.close();
  }
}

async function readLines(handle: FileHandle, located: Located, window: LineWindow, first: number, run: ToolRun) {
  const piece = Buffer.alloc(PIECE_SIZE);
  const { size } = await handle.stat();
  let decoder: TextDecoder | undefined;
  let invalid = false;
  let at = 0;
  let atEnd = false;
  while (!atEnd && !(window.full && at >= COUNTED_BYTES)) {
    run.signal.throwIfAborted();
    const { bytesRead } = await handle.read(piece, 0, PIECE_SIZE, null);
    const bytes = piece.subarray(0, bytesRead);
    if (decoder === undefined) {
      const media_type = mediaType(bytes);
      if (media_type !== undefined) return await readImage(located, media_type, handle, size);
      if (isBinary(bytes)) return failed(explainBinary(located, size));
      decoder = new TextDecoder(textEncoding(bytes));
    }
    atEnd = bytesRead === 0;
    const text = decoder.decode(bytes, { stream: !atEnd });
    invalid ||= text.includes("\ufffd");
    window.add(text);
    at += bytesRead;
    if (at < size) run.report({ fraction: at / size, units: at });
  }
  window.end();
  if (window.total === 0) return completed("(The file is empty.)", { lines: 0 });
  if (window.total < first) {
    return failed(`${located.given} has ${count(window.total, "line")}; offset ${count(first)} is past its end.`);
  }
  const last = first + window.lines.length - 1;
  const notes = notesOn(window, first, last, atEnd, invalid);
  const numbered = window.lines.map((line, index) => `${first + index}\t${line}`);
  const details = { first_line: first, last_line: last, ...(atEnd ? { lines: window.total } : {}) };
  return completed([...numbered, ...(notes.length > 0 ? [`(${notes.join(" ")})`] : [])].join("\n"), details);
}

async function readImage(
  { given, path }: Located,
  media_type: string,
  handle: FileHandle,
  size: number,
): Promise<ToolEnd> {
  if (size > LARGEST_IMAGE)
    return failed(
      `${given} is an image of ${count(size)} bytes, and no model is shown more than ${count(LARGEST_IMAGE)}.`,
    );
  const data = Buffer.alloc(size);
  const { bytesRead } = await handle.read(data, 0, size, 0);
  const pixels = longerSide(data) ?? 0;
  if (pixels > LONGEST_SIDE)
    return failed(
      `${given} is an image with a side of ${count(pixels)} pixels, and no model is shown more than ${count(LONGEST_SIDE)}. Make a smaller copy of it.`,
    );
  const image = { path, media_type, data: data.subarray(0, bytesRead) };
  const end = completed(`${given} is an image (${media_type}, ${count(size)} bytes), shown with this result.`, {
    media_type,
  });
  return { ...end, images: [image] };
}

function notesOn(window: LineWindow, first: number, last: number, atEnd: boolean, invalid: boolean): string[] {
  const notes: string[] = [];
  const total = `${count(window.total)}${atEnd ? "" : " or more"}`;
  if (first > 1 || last < window.total) notes.push(`Lines ${first} to ${last} of ${total}.`);
  if (last < window.total) notes.push(`Read on with offset ${last + 1}.`);
  if (window.cutLines > 0) notes.push("Long lines were cut; `cut -c` in bash shows the rest of one.");
  if (window.crlf > 0) notes.push(window.crlf * 2 > window.total ? "Lines end in CRLF." : "Some lines end in CRLF.");
  if (invalid) notes.push("Bytes that are not valid text show as \ufffd.");
  return notes;
}

function explainBinary({ given }: Located, size: number): string {
  return `${given} is binary (${count(size)} bytes) and was not read. In bash, \`file\`, \`xxd\` or \`strings\` look into it.`;
}

async function explainDirectory({ given, absolute }: Located): Promise<string> {
  const entries = await readdir(absolute, { withFileTypes: true });
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  const shown = names.slice(0, 50);
  const more = names.length > shown.length ? `\n(${count(names.length - shown.length)} more; glob lists them.)` : "";
  return `${given} is a directory. It holds:\n${shown.join("\n") || "(nothing)"}${more}`;
}
