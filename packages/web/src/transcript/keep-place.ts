/** The move of the list when its rows change. */
export type Keeping =
  | { readonly kind: "stay" }
  /** All new rows are before the others: the list itself moves by their height, and by what it measures of them later. */
  | { readonly kind: "shift" }
  /** Goes to a row, with the distance between its beginning and the edge of the list. */
  | { readonly kind: "go"; readonly row: string; readonly offset: number };

/** The first row on the screen, and how much of it is above the edge of the list. */
export interface Anchor {
  readonly row: string;
  readonly offset: number;
}

const STAY: Keeping = { kind: "stay" };

/**
 * Decides how the first row on the screen stays in its place, from the keys of the rows. When that row goes, the next one that
 * remains takes its place: as if the rows between had collapsed.
 *
 * The list knows the sizes of rows by their index. A shift keeps them right only if no row stays before the new ones; otherwise
 * the list would use the size of one row for another.
 */
export function keepPlace(before: readonly string[], after: readonly string[], anchor: Anchor | undefined): Keeping {
  if (isPrepended(before, after)) return { kind: "shift" };
  const was = anchor ? before.indexOf(anchor.row) : -1;
  if (!anchor || was < 0) return STAY;
  const places = new Map(after.map((key, index) => [key, index]));
  const row = before.slice(was).find((key) => places.has(key));
  if (row === undefined) return STAY;
  const at = places.get(row) as number;
  if (row !== anchor.row) return { kind: "go", row, offset: 0 };
  const isSame = at === was && before.slice(0, was).every((key, index) => after[index] === key);
  return isSame ? STAY : { kind: "go", row, offset: anchor.offset };
}

/** The first row may have another key now: the header of a turn that began before the window. */
function isPrepended(before: readonly string[], after: readonly string[]): boolean {
  const count = after.length - before.length;
  const [first] = before;
  if (count <= 0 || first === undefined) return false;
  if (after[count] !== first && after.includes(first)) return false;
  return before.every((key, index) => index === 0 || after[index + count] === key);
}
