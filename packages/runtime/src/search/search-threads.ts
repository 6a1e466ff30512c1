import { setImmediate as nextTurn } from "node:timers/promises";
import type { TakeId } from "@retake/core";
import { EntryRows } from "../store/entry-rows.ts";
import { layersOf, type SpaceId } from "../store/layers.ts";
import { beforeThread, EVERY_PLACE, SearchIndex, threadAt } from "../store/search-index.ts";
import type { StorePart } from "../store/store-part.ts";
import { type CataloguedThread, readCatalogue } from "../store/thread-catalogue.ts";
import type { ThreadSummary } from "../store/thread-store.ts";
import { isIn, matchExpression, searchQuery } from "./search-query.ts";
import { fits, type SearchRequest } from "./search-request.ts";

/** A thread that fits, and the entries of it that do. */
export interface RankedThread {
  readonly thread: ThreadSummary;
  readonly tags: readonly string[];
  readonly titled: boolean;
  /** Lower is better. */
  readonly rank: number;
  /** The best first. */
  readonly hits: readonly Hit[];
  /** More entries fit; these are the last that were written. */
  readonly more: boolean;
}

export interface Hit {
  readonly entry: string;
  readonly space: SpaceId;
  readonly take: TakeId;
  /** Of what was written down: the shorter an entry, the more of it is what was looked for. */
  readonly size: number;
}

/** Entries that are looked for in a thread: a word that all of 100,000 say costs no more than one that some say. */
const MOST_HITS = 100;
/** Places that are walked over before it is worth while to leap. */
const LEAST_LEAP = 256;
/** Of one step, after which others are let in. */
const STEP_MS = 10;

/**
 * L11: the threads of one store that fit. What is searched is what a user can see: the entries of all takes that
 * are not deleted. An entry that several takes share is found once, in the active one if it is there.
 */
export async function searchThreads(store: StorePart, request: SearchRequest): Promise<RankedThread[]> {
  const { database, threads } = store;
  const index = new SearchIndex(database);
  while (index.catchUp()) await nextTurn();
  const query = searchQuery(request.words ?? "");
  const expression = matchExpression(query, request.role);
  const walk = expression === undefined ? undefined : new Walk(store, index, request, expression);
  while (walk && !walk.isOver) {
    walk.step();
    await nextTurn();
  }
  return database.snapshot(() =>
    readCatalogue(database, threads)
      .filter((thread) => fits(thread, request))
      .flatMap((thread) => {
        const { summary, tags } = thread;
        const words = query.parts.length > 0 && request.role === undefined;
        const titled = words && isIn(query, [summary.title, ...tags].join(" "));
        const found = walk?.found.get(summary.id);
        if (walk && !found && !titled) return [];
        const hits = [...(found?.hits.values() ?? [])].sort((a, b) => a.size - b.size);
        return [{ thread: summary, tags, titled, rank: hits[0]?.size ?? 0, hits, more: found?.more ?? false }];
      }),
  );
}

/** Those whose titles fit first, then the better match, then the one that was changed last. */
export function byRelevance(a: RankedThread, b: RankedThread): number {
  return Number(b.titled) - Number(a.titled) || a.rank - b.rank || b.thread.updated_at - a.thread.updated_at;
}

interface Found {
  readonly hits: Map<string, Hit>;
  more: boolean;
}

/**
 * A walk along the matches of the index, the newest first, in steps that each see the store at one moment. A thread of
 * which enough was found, or that does not fit, is passed by. Once as many of its matches have been passed as were
 * read before, the walk leaps over the rest: a leap costs about as much as all matches do, where a word may go on.
 */
class Walk {
  readonly found = new Map<string, Found>();
  readonly #store: StorePart;
  readonly #index: SearchIndex;
  readonly #request: SearchRequest;
  readonly #expression: string;
  #place = EVERY_PLACE;
  #read = 0;

  constructor(store: StorePart, index: SearchIndex, request: SearchRequest, expression: string) {
    this.#store = store;
    this.#index = index;
    this.#request = request;
    this.#expression = expression;
  }

  get isOver(): boolean {
    return this.#place === 0;
  }

  step(): void {
    this.#place = this.#store.database.snapshot(() => this.#walk(performance.now() + STEP_MS));
  }

  /** Returns the place to go on before; 0 at the end. */
  #walk(end: number): number {
    const { database, threads } = this.#store;
    const all = readCatalogue(database, threads).filter((thread) => fits(thread, this.#request));
    const catalogue = new Map(all.map((thread) => [thread.number, thread]));
    const readers = new Map<number, readonly Reader[]>();
    let [at, passed] = [0, 0];
    for (const place of this.#index.places(this.#expression, this.#place)) {
      if (threadAt(place) !== at) [at, passed] = [threadAt(place), 0];
      const thread = catalogue.get(at);
      this.#read += 1;
      if (thread && !this.#isFull(thread)) {
        const shown = readers.get(at) ?? this.#readersOf(thread);
        readers.set(at, shown);
        this.#take(thread, shown, place);
      } else {
        passed += 1;
        if (passed > Math.max(LEAST_LEAP, this.#read - passed)) return beforeThread(at);
      }
      if (performance.now() > end) return place;
    }
    return 0;
  }

  /** Whether enough was found; asked for another match, it notes that there are more. */
  #isFull({ summary }: CataloguedThread): boolean {
    const found = this.found.get(summary.id);
    if (!found || found.hits.size < MOST_HITS) return false;
    found.more = true;
    return true;
  }

  #take({ summary, active }: CataloguedThread, readers: readonly Reader[], place: number): void {
    for (const { space, entry, size, ts } of this.#index.at(place)) {
      if (!this.#isInTime(ts)) continue;
      // A row counts for the takes that show it: in others it is hidden, or cut off.
      const reader = readers.find(({ spaces, rows }) => spaces.has(space) && rows.find(entry)?.space === space);
      if (!reader) continue;
      const found = this.found.get(summary.id) ?? { hits: new Map<string, Hit>(), more: false };
      this.found.set(summary.id, found);
      const { take } = reader;
      if (!found.hits.has(entry) || take === active) found.hits.set(entry, { entry, space, take, size });
    }
  }

  #isInTime(ts: string): boolean {
    const { since, until } = this.#request;
    const at = since === undefined && until === undefined ? 0 : Date.parse(ts);
    return (since === undefined || at >= since) && (until === undefined || at <= until);
  }

  /** The takes of a thread, the active one first. */
  #readersOf({ takes, active }: CataloguedThread): Reader[] {
    const { database } = this.#store;
    const readers = [...takes].map(([take, space]) => {
      const layers = layersOf(database, space);
      return { take, rows: new EntryRows(database, { layers }), spaces: new Set(layers.map((layer) => layer.space)) };
    });
    return readers.sort((a, b) => Number(b.take === active) - Number(a.take === active));
  }
}

interface Reader {
  readonly take: TakeId;
  readonly rows: EntryRows;
  readonly spaces: ReadonlySet<SpaceId>;
}
