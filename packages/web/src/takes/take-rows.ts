/**
 * The tree of takes as rows from top to bottom. A take is a column; a row stands for a point of it: where another take
 * leaves, or its head. The turns between two rows are folded into one line, so a thread of a thousand turns with three
 * branches has seven rows.
 *
 *     ┬        main, begins
 *     ├──┐     #3, where take_1 leaves
 *     │  ●     take_1
 *     ●        main
 */
import type { client } from "../data/connection.ts";

export type ListedTake = Awaited<ReturnType<typeof client.listTakes>>["takes"][number];

export interface TakeRow {
  readonly key: string;
  readonly kind: "branch" | "head";
  readonly take: ListedTake;
  readonly column: number;
  /** Of a branch row: the turn after which the other takes leave. */
  readonly turn?: string;
  /** Of a head's row: the row in which its take leaves its parent; undefined of a take without one. */
  readonly from?: { readonly row: number; readonly column: number };
}

export function takeRows(takes: readonly ListedTake[]): TakeRow[] {
  const rows: TakeRow[] = [];
  const known = new Set(takes.map(({ id }) => id));
  let columns = 0;
  const place = (take: ListedTake, from?: TakeRow["from"]) => {
    const column = columns;
    columns += 1;
    const children = takes.filter(({ parent }) => parent === take.id).sort(byTurn);
    for (const turn of new Set(children.map(turnOf))) {
      const row = rows.length;
      rows.push({ key: `${take.id} ${turn}`, kind: "branch", take, column, turn });
      for (const child of children.filter((each) => turnOf(each) === turn)) place(child, { row, column });
    }
    rows.push({ key: take.id, kind: "head", take, column, ...(from ? { from } : {}) });
  };
  // A take whose parent was deleted stands by itself.
  for (const take of takes) if (take.parent === null || !known.has(take.parent)) place(take);
  return rows;
}

function turnOf({ branched_at }: ListedTake): string {
  return branched_at?.turn_name ?? "";
}

function byTurn(a: ListedTake, b: ListedTake): number {
  return Number(turnOf(a).slice(1) || 0) - Number(turnOf(b).slice(1) || 0);
}
