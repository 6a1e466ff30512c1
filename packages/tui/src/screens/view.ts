import type { Line } from "../draw/line.ts";

/** A screen: as many lines as the terminal has rows at most, where the cursor is, and what a click means. */
export interface View {
  readonly lines: readonly Line[];
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
  readonly hits: readonly HitArea[];
}

export interface HitArea {
  readonly row: number;
  /** Columns, the second one not included. */
  readonly from: number;
  readonly to: number;
  readonly action:
    | { readonly kind: "focus"; readonly key: string }
    | { readonly kind: "select"; readonly index: number };
}
