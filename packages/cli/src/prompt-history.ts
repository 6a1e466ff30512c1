import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Lines typed at the prompt, newest first, kept between sessions for their owner alone. They may be lost without harm.
 */
export class PromptHistory {
  readonly #file: string;
  readonly #lines: string[];

  constructor(file: string) {
    this.#file = file;
    this.#lines = readLines(file);
    if (this.#lines.length > 2 * MOST) this.#rewrite();
  }

  get lines(): string[] {
    return this.#lines.slice(0, MOST);
  }

  /** `stored: false` keeps it for this session only: prompts of a private thread are in no other file. */
  add(line: string, { stored }: { readonly stored: boolean }): void {
    if (line.trim() === "" || line === this.#lines[0]) return;
    this.#lines.unshift(line);
    if (!stored) return;
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
      chmodSync(this.#file, 0o600);
    } catch {
      // A history that cannot be written is one that ends with the session.
    }
  }

  #rewrite(): void {
    const lines = this.#lines.slice(0, MOST).toReversed();
    try {
      writeFileSync(this.#file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 });
    } catch {
      // It is read whole again next time.
    }
  }
}

const MOST = 1000;

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").flatMap(parseLine).reverse();
  } catch {
    return [];
  }
}

function parseLine(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? [value] : [];
  } catch {
    return [];
  }
}
