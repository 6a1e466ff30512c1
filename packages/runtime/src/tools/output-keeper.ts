import type { FileHandle } from "node:fs/promises";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { count, cutEnd, cutStart } from "./cut-text.ts";

/**
 * Takes a command's output as it comes and keeps what the model is shown: all of a short one, the
 * beginning and the end of a long one. A long one is also written, whole, to the overflow file.
 */
export class OutputKeeper {
  bytes = 0;
  readonly #overflow: string;
  readonly #decoder = new TextDecoder();
  #unwritten: Buffer[] = [];
  #file: FileHandle | undefined;
  #written = 0;
  #lines = 0;
  #length = 0;
  #head = "";
  #tail = "";
  /** The end of what `news` has not told yet, and how much before it was left out. */
  #news = "";
  #leftOut = 0;

  constructor(overflow: string) {
    this.#overflow = overflow;
  }

  /** The file with the whole output, if the output is too long to show. */
  get overflow(): string | undefined {
    return this.#file ? this.#overflow : undefined;
  }

  async add(chunk: Buffer): Promise<void> {
    this.bytes += chunk.length;
    this.#take(this.#decoder.decode(chunk, { stream: true }));
    this.#unwritten.push(chunk);
    if (this.#isLong) await this.#spill();
  }

  async close(): Promise<void> {
    this.#take(this.#decoder.decode());
    if (this.#isLong) await this.#spill();
    await this.#file?.close();
  }

  /** The output so far, without its middle. */
  show(): string {
    const left = this.#length - this.#head.length - this.#tail.length;
    if (left <= 0) return plain(this.#head + this.#tail);
    const lost = this.bytes > this.#written ? `; only its first ${count(this.#written)} bytes were kept` : "";
    const note = `(${count(left)} characters left out. The whole output, ${count(this.#lines, "line")}, is at ${this.#overflow}${lost}: use read with offset, or grep.)`;
    return `${plain(this.#head)}\n${note}\n${plain(this.#tail)}`;
  }

  /** The output since the last call. Only the end of a long one: it shows the progress. */
  news(): string {
    const unfinished = UNFINISHED.exec(this.#news)?.index ?? this.#news.length;
    const told = plain(this.#news.slice(0, unfinished));
    const note = this.#leftOut > 0 ? `(${count(this.#leftOut)} characters left out)\n` : "";
    this.#news = this.#news.slice(unfinished);
    this.#leftOut = 0;
    return note + told;
  }

  get #isLong(): boolean {
    return this.#length > headLength + tailLength;
  }

  #take(text: string): void {
    this.#length += text.length;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#lines += 1;
    const toHead = cutEnd(text, Math.max(0, headLength - this.#head.length));
    this.#head += toHead;
    this.#tail = cutStart(this.#tail + text.slice(toHead.length), tailLength);
    const news = this.#news + text;
    this.#news = cutStart(news, newsLength);
    this.#leftOut += news.length - this.#news.length;
  }

  async #spill(): Promise<void> {
    const chunks = Buffer.concat(this.#unwritten.splice(0));
    const room = chunks.subarray(0, Math.max(0, mostKept - this.#written));
    if (this.#file === undefined) {
      await mkdir(dirname(this.#overflow), { recursive: true, mode: 0o700 });
      this.#file = await open(this.#overflow, "w", 0o600);
    }
    if (room.length > 0) await this.#file.writeFile(room);
    this.#written += room.length;
  }
}

const headLength = 8_000;
const tailLength = 22_000;
const newsLength = 4_000;
/** A command that never stops talking must not fill the disk. */
const mostKept = 256 * 1024 * 1024;

/** The beginning of what only a terminal understands, whose end has not come yet. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const UNFINISHED = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]{0,200})?$/;

/** Without what only a terminal understands: colours, cursor movements, titles. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  return text.replace(/\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, "");
}
