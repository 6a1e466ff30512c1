import { setImmediate as nextTurn } from "node:timers/promises";
import type { TakeId } from "@retake/core";
import { EntryRows } from "../store/entry-rows.ts";
import { layersOf } from "../store/layers.ts";
import { beforeThread, SearchIndex } from "../store/search-index.ts";
import type { StorePart } from "../store/store-part.ts";
import { matchExpression, searchQuery } from "./search-query.ts";

/** An entry that matches, by its id and its place among the entries of its take: places sort as the entries do. */
export interface EntryFound {
  readonly id: string;
  readonly place: string;
}

/** The time of one step, after which other work gets a turn. Tests use shorter ones. */
const STEP_MS = 10;

/**
 * Every entry of a take that contains all words, in the order of the conversation. The cost is that of the matches: the
 * index knows them, and no other entry is read.
 */
export async function findInTake(
  store: StorePart,
  asked: { readonly thread: string; readonly take: TakeId; readonly words: string; readonly role?: string | undefined },
  stepMs = STEP_MS,
): Promise<EntryFound[]> {
  const { database } = store;
  const index = new SearchIndex(database);
  while (index.catchUp()) await nextTurn();
  const query = searchQuery(asked.words);
  const expression = query.parts.length === 0 ? undefined : matchExpression(query, asked.role);
  if (expression === undefined) return [];
  const number = Number(database.prepare("SELECT space FROM threads WHERE id = ?").get(asked.thread)?.["space"]);
  const [first, end] = [beforeThread(number), beforeThread(number + 1)];
  // By id: an entry that is edited between two steps gets a new place in the index, and is found twice.
  const found = new Map<string, EntryFound>();
  const step = (before: number) =>
    database.snapshot(() => {
      const rows = rowsOf(store, asked);
      const until = performance.now() + stepMs;
      let at = before;
      for (const place of index.places(expression, before)) {
        if (place < first) return first;
        at = place;
        for (const { space, entry } of index.at(place)) {
          const row = rows?.find(entry);
          if (row?.space === space) found.set(entry, { id: entry, place: row.place });
        }
        if (performance.now() > until) return at;
      }
      return first;
    });
  for (let at = step(end); at > first; at = step(at)) await nextTurn();
  return [...found.values()].sort((a, b) => (a.place < b.place ? -1 : 1));
}

function rowsOf(
  { database }: StorePart,
  { thread, take }: { readonly thread: string; readonly take: TakeId },
): EntryRows | undefined {
  const row = database.prepare("SELECT space FROM takes WHERE thread = ? AND take = ?").get(thread, take);
  return row && new EntryRows(database, { layers: layersOf(database, Number(row["space"])) });
}
