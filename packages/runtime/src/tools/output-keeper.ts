import type { FileHandle } from "node:fs/promises";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { count, cutEnd, cutStart } from "./cut-text.ts";
import { plainOutput, UnreadOutput } from "./unread-output.ts";

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
  /** For those who watch the progress. */
  readonly #watched = new UnreadOutput(NEWS_LENGTH);
  /** For the model, which reads a command in the background now and then. */
  readonly #unread = new UnreadOutput(HEAD_LENGTH + TAIL_LENGTH);

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
    try {
      if (this.#isLong) await this.#spill();
    } finally {
      await this.#file?.close();
    }
  }

  /** The output so far, without its middle. */
  show(): string {
    const left = this.#length - this.#head.length - this.#tail.length;
    if (left <= 0) return plainOutput(this.#head + this.#tail);
    const lost = this.bytes > this.#written ? `; only its first ${count(this.#written)} bytes were kept` : "";
    const note = `(${count(left)} characters left out. The whole output, ${count(this.#lines, "line")}, is at ${this.#overflow}${lost}: use read with offset, or grep.)`;
    return `${plainOutput(this.#head)}\n${note}\n${plainOutput(this.#tail)}`;
  }

  /** The output since the last call. Only the end of a long one: it shows the progress. */
  news(): string {
    return this.#watched.take();
  }

  /** The output since the last call, for the model. */
  read(): string {
    return this.#unread.take(`; the whole output is at ${this.#overflow}: use read with offset, or grep`);
  }

  get hasUnread(): boolean {
    return !this.#unread.isEmpty;
  }

  /** The end of the output so far. */
  get end(): string {
    return plainOutput(cutStart(this.#head + this.#tail, NEWS_LENGTH));
  }

  get #isLong(): boolean {
    return this.#length > HEAD_LENGTH + TAIL_LENGTH;
  }

  #take(text: string): void {
    this.#length += text.length;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#lines += 1;
    const toHead = cutEnd(text, Math.max(0, HEAD_LENGTH - this.#head.length));
    this.#head += toHead;
    this.#tail = cutStart(this.#tail + text.slice(toHead.length), TAIL_LENGTH);
    this.#watched.add(text);
    this.#unread.add(text);
  }

  async #spill(): Promise<void> {
    const chunks = Buffer.concat(this.#unwritten.splice(0));
    const room = chunks.subarray(0, Math.max(0, MOST_KEPT - this.#written));
    if (this.#file === undefined) {
      await mkdir(dirname(this.#overflow), { recursive: true, mode: 0o700 });
      this.#file = await open(this.#overflow, "w", 0o600);
    }
    if (room.length > 0) await this.#file.writeFile(room);
    this.#written += room.length;
  }
}

const HEAD_LENGTH = 8_000;
const TAIL_LENGTH = 22_000;
const NEWS_LENGTH = 4_000;
/** A command that never stops talking must not fill the disk. */
const MOST_KEPT = 256 * 1024 * 1024;
