import { setTimeout as wait } from "node:timers/promises";
import type { Terminal } from "./world.ts";

const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";
const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";

/**
 * The terminal, key by key, as long as it is open. What comes at once is one key: `y` and Enter sent together. All that is
 * pasted or typed and not taken as a key is kept, and returned by `close`.
 */
export class TypedKeys {
  readonly #terminal: Terminal;
  readonly #listener: (chunk: Buffer | string) => void;
  #kept = "";
  #pasting = false;
  #last = performance.now();
  #waiting: ((key: string) => void) | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#listener = (chunk) => this.#take(String(chunk));
    terminal.input.setRawMode?.(true);
    terminal.output.write(PASTE_ON);
    terminal.input.on("data", this.#listener);
    terminal.input.resume();
  }

  /** Waits until nothing was typed for so long. Ctrl+C is one in any case. */
  async quiet(milliseconds: number, gone: AbortSignal): Promise<void> {
    this.#last = performance.now();
    for (;;) {
      gone.throwIfAborted();
      const left = this.#last + milliseconds - performance.now();
      if (left <= 0) return;
      await wait(left, undefined, { signal: gone });
    }
  }

  /** The next key. Those before that were not asked for are kept. */
  next(gone: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#waiting = undefined;
        gone.removeEventListener("abort", stop);
      };
      const stop = () => {
        end();
        reject(new Error("the question is gone"));
      };
      if (gone.aborted) return stop();
      gone.addEventListener("abort", stop);
      this.#waiting = (key) => {
        end();
        resolve(key);
      };
    });
  }

  close(): string {
    const { input, output } = this.#terminal;
    input.removeListener("data", this.#listener);
    input.pause();
    input.setRawMode?.(false);
    output.write(PASTE_OFF);
    return this.#kept;
  }

  #take(chunk: string): void {
    this.#last = performance.now();
    for (const part of chunk.split(MARK)) {
      if (part === PASTE_START || part === PASTE_END) this.#pasting = part === PASTE_START;
      else if (part !== "") this.#takePart(part);
    }
  }

  #takePart(part: string): void {
    const waiting = this.#waiting;
    if (!this.#pasting && part === "\u0003" && !waiting) this.#terminal.interrupt();
    else if (!this.#pasting && waiting && isKey(part)) waiting(part);
    else {
      this.#kept += part.replace(/\r\n?/g, "\n");
      // Whoever asks is told that it was no answer.
      if (waiting && !this.#pasting) waiting("");
    }
  }
}

const MARK = new RegExp(`(${[PASTE_START, PASTE_END].map((mark) => mark.replace("[", "\\[")).join("|")})`);

/** A single answer, also a whole word sent at once; a longer text is typing that goes on. */
function isKey(part: string): boolean {
  return part === "\u0003" || part === "\u0004" || /^(?:y|yes|n|no|a|always)[\r\n]*$/i.test(part);
}
