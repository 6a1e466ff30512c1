import { Transform, type TransformCallback } from "node:stream";
import { PasteMarks } from "./paste-marks.ts";
import type { Terminal } from "./world.ts";

/** Stands for the end of a line inside one that is being edited. */
export const LINE_END = "␤";

/**
 * The input from a terminal, for a line editor. The line ends of pasted text are made visible signs, so that a paste of
 * many lines is one prompt and sends nothing by itself.
 */
export class PasteFilter extends Transform {
  readonly #terminal: Terminal["input"];
  readonly #marks = new PasteMarks();
  readonly isTTY = true;

  constructor(terminal: Terminal["input"]) {
    super({ decodeStrings: true });
    this.#terminal = terminal;
  }

  setRawMode(raw: boolean): this {
    this.#terminal.setRawMode?.(raw);
    return this;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    const parts = this.#marks.split(chunk.toString("latin1"));
    done(null, Buffer.from(parts.map(({ text, pasted }) => (pasted ? inOneLine(text) : text)).join(""), "latin1"));
  }
}

/** In latin1 the sign's three bytes are three characters. */
function inOneLine(text: string): string {
  return text.replace(/\r\n?|\n/g, Buffer.from(LINE_END).toString("latin1"));
}
