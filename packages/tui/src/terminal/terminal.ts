/**
 * The terminal as a full screen: the only file that writes to it. Everything that it switches on is switched off on every way
 * out, by `leave`, which can be called any number of times, also from a signal or while the process exits.
 */
import type { Readable } from "node:stream";
import { type DrawnFrame, frameDiff } from "../draw/frame-diff.ts";
import type { Line } from "../draw/line.ts";
import { lineText } from "../draw/line.ts";
import { createPaint, type Paint } from "../draw/paint.ts";
import { type InputEvent, readKeys } from "./read-keys.ts";

export interface TerminalStreams {
  readonly input: Readable & { setRawMode?(on: boolean): unknown };
  readonly output: TerminalOutput;
  /** Calls `leave` however the process ends. Returns an unsubscribe function. */
  guard(leave: () => void): () => void;
}

export interface TerminalOutput {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

export interface Frame {
  readonly lines: readonly Line[];
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

export interface TerminalListener {
  input(event: InputEvent): void;
  resize(): void;
}

// 1049 the other screen, 2004 pastes are marked, 1007 the wheel is no arrow key, >1u keys say their modifiers (kitty).
const ENTER = "\u001b[?1049h\u001b[?2004h\u001b[?1007l\u001b[>1u";
const LEAVE =
  "\u001b[<u\u001b[?2026l\u001b[?1006l\u001b[?1002l\u001b[?1000l\u001b[?2004l\u001b[?1049l\u001b[0m\u001b[?25h";
const MOUSE_ON = "\u001b[?1000h\u001b[?1002h\u001b[?1006h";
const MOUSE_OFF = "\u001b[?1006l\u001b[?1002l\u001b[?1000l";
/** An escape that nothing follows for so long is the Escape key. */
const ESCAPE_MS = 30;

export class FullScreen {
  readonly #streams: TerminalStreams;
  readonly #paint: Paint;
  /** A character may arrive in two parts. */
  readonly #decoder: TextDecoder;
  /** Input and changes of the size that came before anybody listened. */
  readonly #waiting: (() => void)[] = [];
  #listener: TerminalListener | undefined;
  #drawn: DrawnFrame | undefined;
  #texts: readonly string[] = [];
  #rest = "";
  #timer: NodeJS.Timeout | undefined;
  #isEntered = false;
  #mouse: boolean;
  #unguard = () => {};

  constructor(
    streams: TerminalStreams,
    options: { readonly colour: boolean; readonly mouse: boolean; readonly isUnicode: boolean },
  ) {
    this.#streams = streams;
    this.#paint = createPaint(options);
    this.#mouse = options.mouse;
    this.#decoder = new TextDecoder(options.isUnicode ? "utf-8" : "latin1");
  }

  /** From now on `listener` is told; what came before comes first. */
  listen(listener: TerminalListener): void {
    this.#listener = listener;
    for (const tell of this.#waiting.splice(0)) tell();
  }

  get size(): { readonly columns: number; readonly rows: number } {
    const { columns, rows } = this.#streams.output;
    return { columns: columns || 80, rows: rows || 24 };
  }

  enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    this.#drawn = undefined;
    const { input, output } = this.#streams;
    input.setRawMode?.(true);
    input.on("data", this.#onData);
    input.resume();
    output.on("resize", this.#onResize);
    this.#unguard = this.#streams.guard(() => this.leave());
    output.write(`${ENTER}${this.#mouse ? MOUSE_ON : ""}`);
  }

  leave(): void {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    clearTimeout(this.#timer);
    const { input, output } = this.#streams;
    output.write(LEAVE);
    this.#unguard();
    output.off("resize", this.#onResize);
    input.off("data", this.#onData);
    input.pause();
    input.setRawMode?.(false);
  }

  draw({ lines, cursor }: Frame): void {
    if (!this.#isEntered) return;
    const next: DrawnFrame = { lines: lines.map(this.#paint), cursor };
    const bytes = frameDiff(this.#drawn, next);
    this.#drawn = next;
    this.#texts = lines.map(lineText);
    if (bytes !== "") this.#streams.output.write(bytes);
  }

  setMouse(on: boolean): void {
    this.#mouse = on;
    if (this.#isEntered) this.#streams.output.write(on ? MOUSE_ON : MOUSE_OFF);
  }

  /** Into the clipboard of the terminal (OSC 52). */
  copy(text: string): void {
    this.#streams.output.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
  }

  /** The text on the screen from one row to another. */
  textOf(from: number, to: number): string {
    return this.#texts
      .slice(from, to + 1)
      .map((text) => text.trimEnd())
      .join("\n");
  }

  readonly #onResize = () => {
    this.#drawn = undefined;
    this.#tell((listener) => listener.resize());
  };

  readonly #onData = (chunk: Buffer | string) => {
    clearTimeout(this.#timer);
    const text = typeof chunk === "string" ? chunk : this.#decoder.decode(chunk, { stream: true });
    this.#read(this.#rest + text, false);
    if (this.#rest !== "") this.#timer = setTimeout(() => this.#read(this.#rest, true), ESCAPE_MS);
  };

  #read(text: string, isOver: boolean): void {
    const { events, rest } = readKeys(text, isOver);
    this.#rest = isOver && !rest.startsWith("\u001b[200~") ? "" : rest;
    for (const event of events) this.#tell((listener) => listener.input(event));
  }

  #tell(tell: (listener: TerminalListener) => void): void {
    const listener = this.#listener;
    if (listener) tell(listener);
    else this.#waiting.push(() => this.#tell(tell));
  }
}
