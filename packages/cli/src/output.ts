import { styleText } from "node:util";
import { type OutputStream, standardOutput } from "./standard-output.ts";

type Style = Parameters<typeof styleText>[0];

/** What a command says: one JSON value, or lines for a person. */
export class Output {
  readonly json: boolean;
  readonly #stream: OutputStream;
  readonly #colour: boolean;

  constructor(json: boolean, stream: OutputStream = standardOutput()) {
    this.json = json;
    this.#stream = stream;
    this.#colour = !json && stream.isTTY === true && process.env["NO_COLOR"] === undefined;
  }

  /** `value` with `--json`, otherwise the lines. */
  say(value: unknown, lines: () => Iterable<string>): void {
    if (this.json) this.#stream.write(`${JSON.stringify(value)}\n`);
    else for (const line of lines()) this.line(line);
  }

  line(text = ""): void {
    this.#stream.write(`${text}\n`);
  }

  /** Text as it comes, without a line end. */
  write(text: string): void {
    this.#stream.write(text);
  }

  style(style: Style, text: string): string {
    return this.#colour ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Where lines are cut. What goes into a file or a pipe is not. */
  get width(): number {
    return this.#stream.columns ?? Number.POSITIVE_INFINITY;
  }

  /** Columns that line up; the last one is cut where the terminal ends. */
  table(rows: readonly (readonly string[])[]): string[] {
    const widths: number[] = [];
    for (const row of rows)
      row.forEach((cell, index) => {
        widths[index] = Math.max(widths[index] ?? 0, cell.length);
      });
    return rows.map((row) => {
      const line = row
        .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
        .join("  ");
      return cut(line, this.width);
    });
  }
}

export function cut(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** `3 minutes ago`, and the date for what is longer ago than a week. */
export function ago(at: number, now = Date.now()): string {
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

/** `1.5 MB`, in steps of a thousand. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return step === 0 ? `${bytes} bytes` : `${(bytes / 1000 ** step).toFixed(1)} ${units[step]}`;
}
