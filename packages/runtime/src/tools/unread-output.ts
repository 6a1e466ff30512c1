import { count, cutStart } from "./cut-text.ts";

/** The output of a command that a reader has not had yet: all of a short one, the end of a long one. */
export class UnreadOutput {
  readonly #longest: number;
  #text = "";
  #leftOut = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  add(text: string): void {
    const all = this.#text + text;
    this.#text = cutStart(all, this.#longest);
    this.#leftOut += all.length - this.#text.length;
  }

  /** The output since the last call. `where`: the place of what is left out. */
  take(where = ""): string {
    const unfinished = UNFINISHED.exec(this.#text)?.index ?? this.#text.length;
    const taken = plainOutput(this.#text.slice(0, unfinished));
    const note = this.#leftOut > 0 ? `(${count(this.#leftOut)} characters left out${where})\n` : "";
    this.#text = this.#text.slice(unfinished);
    this.#leftOut = 0;
    return note + taken;
  }
}

/** The beginning of what only a terminal understands, whose end has not come yet. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const UNFINISHED = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]{0,200})?$/;

/** Without what only a terminal understands: colours, cursor movements, titles. */
export function plainOutput(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  return text.replace(/\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, "");
}
