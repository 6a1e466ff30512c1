import {
  coloured,
  cut,
  markedText,
  padded,
  type Style,
  terminalText,
  textWidth,
  visibleJson,
  wrapped,
} from "@retake/tui/text";
import { type HintForm, inForm } from "./hint-form.ts";
import type { OutputStream, World } from "./world.ts";

/**
 * Words are wrapped at the terminal's width; verbatim text is not. Exact text, like a patch that a program applies, leaves the
 * command byte for byte where no terminal reads it.
 */
export type Line = string | { readonly verbatim: string } | { readonly exact: string };

export function verbatim(lines: Iterable<string>): Line[] {
  return Array.from(lines, (line) => ({ verbatim: line }));
}

export function exact(lines: Iterable<string>): Line[] {
  return Array.from(lines, (line) => ({ exact: line }));
}

/** A sentence is not readable in fewer columns. */
const LEAST_ROOM = 24;
const BELOW = "    ";

/** The output of a command: one JSON value, or lines for a person. */
export class Output {
  readonly json: boolean;
  readonly shownThread: string | undefined;
  readonly #stream: OutputStream;
  readonly #form: HintForm;
  readonly #colour: boolean;
  readonly #environment: World["environment"];
  readonly #now: () => number;

  constructor(
    json: boolean,
    { output, environment, now, shownThread }: Pick<World, "output" | "environment" | "now" | "shownThread">,
    form: HintForm = "shell",
  ) {
    this.json = json;
    this.shownThread = shownThread;
    this.#stream = output;
    this.#form = form;
    const isPlain = environment["NO_COLOR"] !== undefined || environment["TERM"] === "dumb";
    this.#colour = !json && output.isTTY === true && !isPlain;
    this.#environment = environment;
    this.#now = now;
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true && !this.json;
  }

  /** The same for text that is collected first: as wide and as colourful. */
  into(write: (content: string | Uint8Array) => void): Output {
    const { isTTY, columns } = this.#stream;
    const output = { isTTY, columns, writableLength: 0, write };
    return new Output(this.json, { output, environment: this.#environment, now: this.#now }, this.#form);
  }

  /** `value` with `--json`, otherwise the lines. */
  say(value: unknown, lines: () => Iterable<Line>): void {
    if (this.json) this.#stream.write(`${visibleJson(JSON.stringify(value))}\n`);
    else for (const line of lines()) this.line(line);
  }

  line(line: Line = ""): void {
    if (typeof line !== "string") {
      if ("exact" in line) this.writeExact(`${line.exact}\n`);
      else this.write(`${line.verbatim}\n`);
    } else
      for (const each of markedText(line).split("\n"))
        this.#stream.write(terminalText(`${wrapped(each, this.width).join("\n")}\n`));
  }

  /** Text as it comes, without a line end. A pipe may end at a terminal, too, so it gets nothing that one obeys (F4). */
  write(text: string): void {
    this.#stream.write(terminalText(text));
  }

  /** Text or bytes for a program. In a file or a pipe they are exactly what they were. */
  writeExact(content: string | Uint8Array): void {
    if (!this.#stream.isTTY) this.#stream.write(content);
    else this.write(typeof content === "string" ? content : Buffer.from(content).toString());
  }

  style(style: Style, text: string): string {
    return this.#colour ? coloured(style, text) : text;
  }

  /** A text of ours in the form of the place where it is read. */
  inForm(text: string): string {
    return inForm(this.#form, text);
  }

  /** A hint about the next step, below the answer. */
  hint(text: string): string {
    return this.style("dim", `  ${this.inForm(text)}`);
  }

  /** The width of the terminal; infinite for a file, a pipe, or a terminal that does not know its width (0). */
  get width(): number {
    return this.#stream.columns || Number.POSITIVE_INFINITY;
  }

  /** `in 4 s`, or `now`. */
  until(at: number): string {
    const seconds = Math.ceil((at - this.#now()) / 1000);
    return seconds <= 0 ? "now" : `in ${seconds} s`;
  }

  /** `3 minutes ago`; the date for times more than a week ago. */
  ago(at: number): string {
    return ago(at, this.#now());
  }

  /** Columns that line up, a text for each row. The last cell is cut where the terminal ends; in a narrow one it is below the others. */
  table(rows: readonly (readonly string[])[]): string[] {
    const { heads, lasts, isBelow } = this.#columns(rows);
    return heads.map((head, index) => {
      const last = lasts[index] ?? "";
      if (!isBelow) return cut(`${head}${last}`, this.width);
      return `${cut(head.trimEnd(), this.width)}\n${BELOW}${cut(last, this.width - BELOW.length)}`;
    });
  }

  /** As a table, with all words of the last cells: they are wrapped. */
  facts(rows: readonly (readonly string[])[]): string[] {
    const { heads, lasts, isBelow, room } = this.#columns(rows);
    return heads.map((head, index) => {
      const last = lasts[index] ?? "";
      const beside = isBelow ? [] : wrapped(last, room);
      if (beside.length > 0 && beside.every((line) => textWidth(line) <= room))
        return head + beside.join(`\n${" ".repeat(textWidth(head))}`);
      return [head.trimEnd(), ...wrapped(last, this.width - BELOW.length)].join(`\n${BELOW}`);
    });
  }

  /** The cells before the last one as one text, all equally wide, and whether the last one has room beside it. */
  #columns(given: readonly (readonly string[])[]) {
    const rows = given.map((row) => row.map((cell) => markedText(cell)));
    const widths: number[] = [];
    for (const row of rows)
      row.forEach((cell, index) => {
        widths[index] = Math.max(widths[index] ?? 0, textWidth(cell));
      });
    const longest = widths.pop() ?? 0;
    const heads = rows.map((row) => widths.map((width, index) => `${padded(row[index] ?? "", width)}  `).join(""));
    const room = this.width - widths.reduce((sum, width) => sum + width + 2, 0);
    const lasts = rows.map((row) => row[widths.length] ?? "");
    return { heads, lasts, room, isBelow: widths.length > 0 && room < Math.min(longest, LEAST_ROOM) };
  }
}

function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 5) return "just now";
  for (const [unit, size, most] of [
    ["second", 1, 60],
    ["minute", 60, 60],
    ["hour", 3600, 24],
    ["day", 86_400, 7],
  ] as const) {
    const count = Math.floor(seconds / size);
    if (count < most) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return new Date(at).toISOString().slice(0, 10);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
