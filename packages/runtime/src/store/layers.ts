/**
 * Spaces in layers: a branch costs the same, however large the space it branches off.
 *
 * A space shows its own rows over those of its base. A row hides every row with the same id below it; a row without a
 * value is a removal. A space may cut its base: it does not show entries with a place after `upto`, nor the groups and
 * turns that began after the version `until`. The cuts of all upper layers apply.
 *
 *     main    main's rows since ──┐
 *                                 ├── what main had when it was branched (never written again)
 *     branch  its own rows ──cut──┘
 *
 * A look-up asks the layers from the top until one has a row. A range merges the same range of all layers, without the
 * rows that an upper layer hides. The cost of both depends on the number of layers (`space-layers.ts` bounds it) and
 * not on their size; only hidden rows in the range are skipped one by one.
 */
import { groupKey } from "@retake/core";
import type { Database } from "@retake/workspace";
import { END } from "./record-key.ts";

export type SpaceId = number;

/** How much of its base a space shows. */
export interface Cut {
  readonly upto: string | undefined;
  readonly until: number | undefined;
}

/** A layer of a space, with the cuts of all layers above it. */
export interface Layer extends Cut {
  readonly space: SpaceId;
}

export interface SpaceRow extends Cut {
  readonly thread: string;
  readonly base: SpaceId | undefined;
}

export function readSpace(database: Database, space: SpaceId): SpaceRow {
  const row = database.prepare("SELECT thread, base, upto, until FROM spaces WHERE id = ?").get(space);
  return {
    thread: String(row?.["thread"]),
    base: (row?.["base"] as number | null | undefined) ?? undefined,
    upto: (row?.["upto"] as string | null | undefined) ?? undefined,
    until: (row?.["until"] as number | null | undefined) ?? undefined,
  };
}

/** The layers of a space, its own first. */
export function layersOf(database: Database, space: SpaceId): readonly Layer[] {
  const layers: Layer[] = [];
  let [at, cut]: [SpaceId | undefined, Cut] = [space, NO_CUT];
  while (at !== undefined) {
    layers.push({ space: at, upto: cut.upto, until: cut.until });
    const row = readSpace(database, at);
    [at, cut] = [row.base, bothCuts(cut, row)];
  }
  return layers;
}

export const NO_CUT: Cut = { upto: undefined, until: undefined };

export function bothCuts(a: Cut, b: Cut): Cut {
  return { upto: least(a.upto, b.upto), until: least(a.until, b.until) };
}

function least<T extends string | number>(a: T | undefined, b: T | undefined): T | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

/** The last place of an entry with this order key: ids are ASCII. */
export function lastPlace(order: string): string {
  return `${order} \u007f`;
}

/** Keys from `from` on and below `to`. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

export const EVERYTHING: Range = { from: "", to: END };

/** The first key after this one. */
export function after(key: string): string {
  return `${key}\u0000`;
}

/** The entries of a layer that the cuts above it leave visible. */
export function shownEntries({ upto }: Layer): Range {
  return upto === undefined ? EVERYTHING : { from: "", to: after(upto) };
}

/** The same of records. Groups after a cut are recognized by their keys, turns by their versions: they are not skipped one by one. */
export function shownRecords({ until }: Layer): readonly Range[] {
  if (until === undefined) return [EVERYTHING];
  return [
    { from: "", to: after(`group:${groupKey(until)}`) },
    { from: "group;", to: END },
  ];
}

/** A query over the visible entries of a range of places; `columns` begin with the place. */
export function selectEntries(
  layers: readonly Layer[],
  { from, to }: Range,
  columns: string,
): { readonly sql: string; readonly values: (string | number)[] } | undefined {
  const arms: string[] = [];
  const values: (string | number)[] = [];
  for (const [depth, layer] of layers.entries()) {
    const range = shownEntries(layer);
    const [least, most] = [from > range.from ? from : range.from, to < range.to ? to : range.to];
    if (least >= most) continue;
    const above = layers.slice(0, depth).map(({ space }) => space);
    arms.push(
      `SELECT ${columns} FROM entries AS shown WHERE space = ? AND place >= ? AND place < ?
       ${above.length === 0 ? "" : `AND NOT ${isIn("entries", above.length)}`}`,
    );
    values.push(layer.space, least, most, ...above);
  }
  return arms.length === 0 ? undefined : { sql: arms.join(" UNION ALL "), values };
}

/** SQL: whether one of the given number of spaces has a row with the id of the current row. */
export function isIn(table: "entries" | "records", spaces: number, row = "shown"): string {
  const list = Array(spaces).fill("?").join();
  return `EXISTS (SELECT 1 FROM ${table} AS other WHERE other.space IN (${list}) AND other.id = ${row}.id)`;
}
