import { type Check, fields, list, whole } from "../values/check.ts";
import { textProblem } from "../values/text.ts";

/**
 * The effects of a turn on files and beyond, including those that no undo can reverse (X4, X8). Paths are in their
 * displayed form.
 */
export interface TurnReceipt {
  /** How many files the turn's last capture covered. */
  readonly files: number;
  readonly bytes: number;
  /** Files that its calls changed, found by the captures after them. */
  readonly files_changed: readonly string[];
  /**
   * Changed files that the ignore rules keep out of the tree. They are captured separately, and undo restores them too.
   */
  readonly ignored_changed: readonly string[];
  /** Changed files that no capture covers: their previous content is not known. */
  readonly uncovered_changed: readonly string[];
  /** Everything on disk that the captures leave out. A directory stands for all its content. */
  readonly uncovered: readonly { readonly path: string; readonly reason: string }[];
  readonly effects: readonly ReceiptEffect[];
  /** How many paths these lists leave out, because there are too many. */
  readonly omitted: number;
}

/** An effect of a call that stays when its turn is undone. */
export interface ReceiptEffect {
  readonly call_id: string;
  /** The id of the entry of the call's result. */
  readonly entry?: string;
  readonly tool: string;
  /** In words: `git push`, or a path written outside the workspace. */
  readonly what: string;
}

/** The most paths that a receipt lists; the rest are counted. */
const MOST = 100;

export class ReceiptLists {
  omitted = 0;

  cut<T>(list: readonly T[]): T[] {
    this.omitted += Math.max(0, list.length - MOST);
    return list.slice(0, MOST);
  }
}

/** True if a list of a receipt may leave out paths: `omitted` counts those of all its lists together. */
export function mayOmitPaths(omitted: number, paths: readonly string[]): boolean {
  return omitted > 0 && paths.length >= MOST;
}

const word: Check = (value) => textProblem(value, 8192);

export const receiptProblem: Check = fields(
  {
    files: whole(0),
    bytes: whole(0),
    files_changed: list(word),
    ignored_changed: list(word),
    uncovered_changed: list(word),
    uncovered: list(fields({ path: word, reason: word }, {}, "closed")),
    effects: list(fields({ call_id: word, tool: word, what: word }, { entry: word }, "closed")),
    omitted: whole(0),
  },
  {},
  "closed",
);
