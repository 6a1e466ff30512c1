import { count, cutEnd, cutStart } from "./cut-text.ts";
import { runBounded } from "./run-bounded.ts";

/**
 * Searches texts line by line. Texts are gathered and searched together, a megabyte at a time, each
 * time under a time limit; between two the event loop has its turn.
 */
export class LineSearch {
  readonly matches: string[] = [];
  /** Matches that were found; not all are kept when there are very many. */
  found = 0;
  #files = 0;
  #current = "";
  readonly #expression: RegExp;
  readonly #gathered: { path: string; text: string }[] = [];
  #size = 0;

  constructor(expression: RegExp) {
    this.#expression = expression;
  }

  /** Files searched to their end. */
  get files(): number {
    return this.#files;
  }

  /** Whether so much is gathered that it should be searched now. */
  add(path: string, text: string): boolean {
    this.#gathered.push({ path, text });
    this.#size += text.length;
    return this.#size >= PIECE_SIZE;
  }

  /** Searches the gathered lines. Returns the file in which the pattern took too long, if any. */
  search(): { readonly tooLongIn?: string } {
    const pieces = this.#gathered.splice(0);
    // A file larger than a piece may take as many times longer.
    const limit = Math.ceil(Math.max(this.#size, PIECE_SIZE) / PIECE_SIZE) * LONGEST_PIECE;
    this.#size = 0;
    const result = runBounded(() => {
      for (const { path, text } of pieces) {
        this.#current = path;
        this.#searchText(path, text);
        this.#files += 1;
      }
    }, limit);
    return result === "done" ? {} : { tooLongIn: this.#current };
  }

  #searchText(path: string, text: string): void {
    let at = 0;
    for (let number = 1; at <= text.length; number += 1) {
      const end = text.indexOf("\n", at);
      const stop = end < 0 ? text.length : end;
      if (end < 0 && at === stop) return;
      const line = text.slice(at, text[stop - 1] === "\r" && stop > at ? stop - 1 : stop);
      const found = line.search(this.#expression);
      if (found >= 0) {
        this.found += 1;
        if (this.matches.length < MOST_KEPT) this.matches.push(`${path}:${number}: ${excerpt(line, found)}`);
      }
      at = stop + 1;
    }
  }
}

const PIECE_SIZE = 1024 * 1024;
const LONGEST_PIECE = 1000;
const MOST_KEPT = 50_000;
const LONGEST_EXCERPT = 300;
const CHARACTERS_BEFORE = 60;

/** The line; for a long one, the text around the match. */
function excerpt(line: string, at: number): string {
  if (line.length <= LONGEST_EXCERPT) return line;
  const start = Math.max(0, at - CHARACTERS_BEFORE);
  const lead = start === 0 ? "" : cutStart(line.slice(0, at), CHARACTERS_BEFORE);
  const rest = line.slice(start === 0 ? 0 : at);
  const shown = lead + cutEnd(rest, LONGEST_EXCERPT - lead.length);
  return `${start === 0 ? "" : "…"}${shown}… (a line of ${count(line.length)} characters)`;
}
