import { cutEnd } from "./cut-text.ts";

/**
 * Takes text in pieces and keeps a window of its lines: from line `first` on, at most `most` lines
 * and `characters` characters. Memory is bounded whatever comes, a gigabyte on one line too. Line
 * ends may be LF or CRLF; they are not part of a line.
 */
export class LineWindow {
  readonly lines: string[] = [];
  /** Lines of which only the beginning was kept. */
  cutLines = 0;
  /** Lines seen so far, the last one included if it does not end. */
  total = 0;
  crlf = 0;
  readonly #first: number;
  readonly #most: number;
  #room: number;
  #full = false;
  #line = "";
  #lineLength = 0;
  #endsInReturn = false;

  constructor(first: number, most: number, characters: number) {
    this.#first = first;
    this.#most = most;
    this.#room = characters;
  }

  /** Whether no further line will be kept. */
  get full(): boolean {
    return this.#full;
  }

  add(text: string): void {
    let at = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", at)) {
      this.#extend(text, at, end);
      if (this.#endsInReturn) this.crlf += 1;
      this.#finish(this.#endsInReturn);
      at = end + 1;
    }
    this.#extend(text, at, text.length);
  }

  end(): void {
    if (this.#lineLength > 0) this.#finish(false);
  }

  #extend(text: string, start: number, end: number): void {
    if (start === end) return;
    const missing = LONGEST_LINE + 1 - this.#line.length;
    if (missing > 0) this.#line += text.slice(start, Math.min(end, start + missing));
    this.#lineLength += end - start;
    this.#endsInReturn = text[end - 1] === "\r";
  }

  #finish(returned: boolean): void {
    this.total += 1;
    if (this.total >= this.#first && !this.#full) this.#keep(this.#lineLength - (returned ? 1 : 0));
    this.#line = "";
    this.#lineLength = 0;
    this.#endsInReturn = false;
  }

  #keep(length: number): void {
    const cut = length > LONGEST_LINE;
    const kept = cut ? cutEnd(this.#line, LONGEST_LINE) : this.#line.slice(0, length);
    const fits = this.lines.length === 0 || this.#room >= kept.length;
    if (!fits || this.lines.length === this.#most) {
      this.#full = true;
      return;
    }
    this.#room -= kept.length + 1;
    this.lines.push(cut ? `${kept}… (${length - kept.length} more characters)` : kept);
    if (cut) this.cutLines += 1;
  }
}

const LONGEST_LINE = 2000;
