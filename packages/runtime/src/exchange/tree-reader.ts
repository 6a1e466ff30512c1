import type { JsonObject } from "@retake/core";
import { type Change, treeName } from "@retake/workspace";
import { broken } from "./bundle-error.ts";
import type { BundleLine, TreeLine } from "./bundle-format.ts";
import { readChange } from "./read-change.ts";

export interface BundledTree extends Required<Omit<TreeLine, "changes" | "partial">> {
  readonly partial: boolean;
  readonly changes: readonly Change[];
}

/** Reads trees from an untrusted source: no path leads out of a workspace, and where it can be checked the name is right. */
export class TreeReader {
  readonly #lines: Iterator<JsonObject>;
  readonly #most: number;
  readonly #isBase: (name: string) => boolean;
  readonly #names = new Set<string>();

  /**
   * `size`: of the source in bytes; a small one cannot contain many changes. `isBase`: whether a tree that was not read
   * may be one that changes lead from.
   */
  constructor(lines: Iterator<JsonObject>, size: number, isBase: (name: string) => boolean = () => false) {
    this.#lines = lines;
    this.#most = 100_000 + size / 2;
    this.#isBase = isBase;
  }

  read(line: TreeLine): BundledTree {
    const { name, parent, from = parent, kept, changes: count } = line;
    if (![name, parent, from].every(isName) || name === "" || this.#names.has(name)) throw broken("a tree is not one");
    if (!Number.isInteger(count) || count < 0 || count > this.#most) throw broken("a tree is larger than can be");
    const named = name.slice(0, 12);
    if (from === "" ? kept !== true : !this.#names.has(from) && !this.#isBase(from))
      throw broken(`tree ${named} follows none`);
    const changes: Change[] = [];
    for (let read = 0; read < count; read += 1)
      changes.push(readChange(nextOf(this.#lines, "change"), changes.at(-1)?.path));
    const given = line.from !== undefined;
    const partial = line.partial === true;
    if (!partial && (given ? parent === "" && !this.#isBase(from) : treeName(parent, changes) !== name))
      throw broken(`tree ${named} is not what was captured`);
    this.#names.add(name);
    return { kind: "tree", name, parent, from, kept: kept === true, partial, changes };
  }
}

export function nextOf(lines: Iterator<JsonObject>, kind: BundleLine["kind"]): JsonObject {
  const next = lines.next();
  if (next.done || next.value["kind"] !== kind) throw broken("it does not hold what it says");
  return next.value;
}

function isName(name: unknown): boolean {
  return typeof name === "string" && /^([0-9a-f]{64})?$/.test(name);
}
