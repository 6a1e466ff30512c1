import { Transform, type TransformCallback } from "node:stream";
import type { Terminal } from "./world.ts";

/** Stands for the end of a line inside one that is being edited. */
export const LINE_END = "␤";

const START = "\u001b[200~";
const END = "\u001b[201~";
const MARK = new RegExp(`(${[START, END].map((mark) => mark.replace("[", "\\[")).join("|")})`);

/**
 * What a terminal sends, for a line editor. Text that is pasted comes between two marks (bracketed paste): its line
 * ends are made visible signs, so that a paste of many lines is one prompt and sends nothing by itself.
 */
export class PasteFilter extends Transform {
  readonly #terminal: Terminal["input"];
  readonly isTTY = true;
  #pasting = false;
  /** The beginning of a mark that a chunk ended in. */
  #held = "";

  constructor(terminal: Terminal["input"]) {
    super({ decodeStrings: true });
    this.#terminal = terminal;
  }

  setRawMode(raw: boolean): this {
    this.#terminal.setRawMode?.(raw);
    return this;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    const text = this.#held + chunk.toString("latin1");
    const rest = this.#whole(text);
    this.#held = text.slice(rest.length);
    done(null, Buffer.from(this.#filtered(rest), "latin1"));
  }

  /** Without the beginning of a mark at its end; a lone escape is a key. */
  #whole(text: string): string {
    for (let length = END.length - 1; length > 1; length -= 1) {
      const tail = text.slice(-length);
      if (START.startsWith(tail) || END.startsWith(tail)) return text.slice(0, -length);
    }
    return text;
  }

  #filtered(text: string): string {
    return text
      .split(MARK)
      .map((part) => {
        if (part === START || part === END) {
          this.#pasting = part === START;
          return "";
        }
        // In latin1 the sign's three bytes are three characters.
        return this.#pasting ? part.replace(/\r\n?|\n/g, Buffer.from(LINE_END).toString("latin1")) : part;
      })
      .join("");
  }
}
