/** No name contains it. */
const SEPARATOR = "/";

export const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * The names of a directory's entries, sorted, as one string. A scan looks at every file, but it needs the list only of
 * directories that changed, and a short command reads every directory from the stat cache.
 */
export class Names {
  readonly text: string;
  #list: readonly string[] | undefined;

  constructor(names: string | readonly string[]) {
    this.text = typeof names === "string" ? names : names.join(SEPARATOR);
    if (typeof names !== "string") this.#list = names;
  }

  get list(): readonly string[] {
    this.#list ??= this.text === "" ? [] : this.text.split(SEPARATOR);
    return this.#list;
  }

  includes(name: string): boolean {
    return this.text.includes(name) && this.list.includes(name);
  }

  /** By binary search; -1 when it is not there. */
  indexOf(name: string): number {
    const names = this.list;
    let low = 0;
    let high = names.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = names[middle] ?? "";
      if (there === name) return middle;
      if (there < name) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  /** Calls `visit` with each name, without a list of them. */
  forEach(visit: (name: string, index: number) => void): void {
    const { text } = this;
    for (let start = 0, index = 0; start < text.length; index += 1) {
      const separator = text.indexOf(SEPARATOR, start);
      const end = separator < 0 ? text.length : separator;
      visit(text.slice(start, end), index);
      start = end + 1;
    }
  }
}
