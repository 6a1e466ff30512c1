/**
 * One key as the answer to a question.
 *
 * Only a key that is pressed while the question is on the screen counts. So the question is shown when nothing was typed for
 * a moment, and all that was sent until then has been read. Everything else answers nothing and is kept: what was typed
 * before, what is pasted, and what is longer than a key.
 */
import { StringDecoder } from "node:string_decoder";
import { setImmediate as readInput, setTimeout as wait } from "node:timers/promises";
import { QUIET_MS } from "@retake/client/screen";
import { PASTE_OFF, PASTE_ON, PasteMarks } from "./paste-marks.ts";
import type { Terminal } from "./world.ts";

export interface KeyQuestion<Answer extends string> {
  /** Prints the question, but not its last line. */
  show(): void;
  /** Prints the last line, which names the keys; again after a text that was no answer. */
  showChoices(): void;
  /** The answer of each key. A whole word that arrives at once counts as its first key: `y`, `yes`. */
  readonly keys: Readonly<Record<string, Answer>>;
  /** Receives typed text that answered nothing. */
  keep(typed: string): void;
}

export type KeyAnswer<Answer extends string> = Answer | Stop;

/** `interrupt`: Ctrl+C. `end`: Ctrl+D. `closed`: the terminal is gone. */
export type Stop = "interrupt" | "end" | "closed";

/** Throws the reason of `gone` when nobody wants the answer any more. */
export async function askKey<Answer extends string>(
  terminal: Terminal,
  question: KeyQuestion<Answer>,
  gone?: AbortSignal,
): Promise<KeyAnswer<Answer>> {
  const keys = new Keys(terminal, gone);
  try {
    const early = await keys.quiet();
    if (early) return early;
    question.show();
    question.showChoices();
    for (let hinted = false; ; hinted = true) {
      const answer = await keys.next((text) => meaningOf(text, question.keys));
      if (answer !== undefined) return answer;
      if (hinted) continue;
      terminal.output.write("\n  (kept for your next prompt; a single key answers)\n");
      question.showChoices();
    }
  } finally {
    keys.close();
    if (keys.typed !== "") question.keep(keys.typed);
  }
}

/** Several characters at once are an answer where they are a word for it and Enter, and typing or a paste otherwise. */
function meaningOf<Answer extends string>(text: string, keys: Readonly<Record<string, Answer>>) {
  const word = text.replace(/[\r\n]+$/, "").toLowerCase();
  const key = Object.keys(keys).find((each) => word === each || word === WORDS[each]);
  return key === undefined ? undefined : keys[key];
}

const WORDS: Readonly<Record<string, string>> = { y: "yes", n: "no", a: "always" };

/** The terminal, key by key, as long as it is open. Text that arrives at once counts as one key. */
class Keys {
  typed = "";
  readonly #terminal: Terminal;
  readonly #gone: AbortSignal | undefined;
  readonly #marks = new PasteMarks();
  readonly #decoder = new StringDecoder("utf8");
  readonly #stopped = Promise.withResolvers<Stop>();
  #last = performance.now();
  #take: ((text: string) => boolean) | undefined;

  constructor(terminal: Terminal, gone: AbortSignal | undefined) {
    this.#terminal = terminal;
    this.#gone = gone;
    this.#stopped.promise.catch(() => {});
    gone?.addEventListener("abort", this.#onGone);
    if (gone?.aborted) this.#onGone();
    terminal.input.setRawMode?.(true);
    terminal.output.write(PASTE_ON);
    terminal.input.on("data", this.#onData);
    terminal.input.once("end", this.#onEnd);
    terminal.input.resume();
  }

  /** Waits until nothing was typed for a moment. Answers only if it is stopped before. */
  quiet(): Promise<Stop | undefined> {
    return Promise.race([this.#stopped.promise, this.#whenQuiet()]);
  }

  /** The meaning of the next text; undefined for a text without meaning, which is kept. */
  next<Meaning>(meaning: (text: string) => Meaning | undefined): Promise<Meaning | Stop | undefined> {
    const answered = new Promise<Meaning | undefined>((resolve) => {
      this.#take = (text) => {
        const found = meaning(text);
        this.#take = undefined;
        resolve(found);
        return found !== undefined;
      };
    });
    return Promise.race([this.#stopped.promise, answered]);
  }

  close(): void {
    const { input, output } = this.#terminal;
    this.#gone?.removeEventListener("abort", this.#onGone);
    input.off("data", this.#onData);
    input.off("end", this.#onEnd);
    input.pause();
    input.setRawMode?.(false);
    output.write(PASTE_OFF);
  }

  async #whenQuiet(): Promise<undefined> {
    for (;;) {
      await wait(Math.max(0, this.#last + QUIET_MS - performance.now()));
      // A busy process may not have read all typed keys yet: read them before the check.
      await readInput();
      if (performance.now() - this.#last >= QUIET_MS) return undefined;
    }
  }

  readonly #onGone = (): void => this.#stopped.reject(this.#gone?.reason ?? new Error("The question is gone."));

  readonly #onEnd = (): void => this.#stopped.resolve("closed");

  readonly #onData = (chunk: Buffer | string): void => {
    this.#last = performance.now();
    const text = typeof chunk === "string" ? chunk : this.#decoder.write(chunk);
    for (const part of this.#marks.split(text)) {
      if (!part.pasted && part.text.includes("\u0003")) this.#stopped.resolve("interrupt");
      else if (!part.pasted && part.text === "\u0004") this.#stopped.resolve("end");
      else if (part.pasted || !this.#take?.(part.text)) this.typed += part.text.replace(/\r\n?/g, "\n");
    }
  };
}
