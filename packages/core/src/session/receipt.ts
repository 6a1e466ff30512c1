import { type Check, fields, list, whole } from "../values/check.ts";
import { textProblem } from "../values/text.ts";

/** What a turn did to the files and beside them, and what of that no undo takes back (X4, X8). Paths as they are shown. */
export interface TurnReceipt {
  /** How much the turn's last capture covered. */
  readonly files: number;
  readonly bytes: number;
  /** What its calls changed, found by the captures after them. */
  readonly files_changed: readonly string[];
  /** Those of them that ignore rules keep out of the tree; they are captured beside it and come back all the same. */
  readonly ignored_changed: readonly string[];
  /** Changed and left out of the captures: what was there before is not known. */
  readonly uncovered_changed: readonly string[];
  /** Everything on disk that is left out, a directory standing for all that is in it. */
  readonly uncovered: readonly { readonly path: string; readonly reason: string }[];
  readonly effects: readonly ReceiptEffect[];
  /** How many paths are missing in these lists, because there are too many. */
  readonly omitted: number;
}

/** Something that a call did and that stays done when its turn is undone. */
export interface ReceiptEffect {
  readonly call_id: string;
  /** The entry of the call's result. */
  readonly entry?: string;
  readonly tool: string;
  /** In words: `git push`, or where it wrote outside of the workspace. */
  readonly what: string;
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
