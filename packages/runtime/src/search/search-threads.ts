import { setImmediate as nextTurn } from "node:timers/promises";
import type { TakeId } from "@retake/core";
import type { Database } from "@retake/workspace";
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
const LEAST_LEAP = 64;
/** Of one step, after which others are let in. Tests take shorter ones. */
const STEP_MS = 10;

/**
 * L11: the threads of one store that fit. What is searched is what a user can see: the entries of all takes that
 * are not deleted. An entry that several takes share is found once, in the active one if it is there.
 */
export async function searchThreads(
  store: StorePart,
  request: SearchRequest,
  stepMs = STEP_MS,
): Promise<RankedThread[]> {
  const index = new SearchIndex(store.database);
  while (index.catchUp()) await nextTurn();
  const query = searchQuery(request.words ?? "");
  const expression = matchExpression(query, request.role);
  const walk = new Walk(store, index, request, expression);
  while (!walk.step(stepMs)) await nextTurn();
  const words = query.parts.length > 0 && request.role === undefined;
  return walk.threads.flatMap(({ summary, tags }) => {
    const titled = words && isIn(query, [summary.title, ...tags].join(" "));
    const found = walk.found.get(summary.id);
    if (expression !== undefined && !found && !titled) return [];
    const hits = [...(found?.hits.values() ?? [])].sort((a, b) => a.size - b.size);
    return [{ thread: summary, tags, titled, rank: hits[0]?.size ?? 0, hits, more: found?.more ?? false }];
  });
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
  /** That fit, as they are at the last step. */
  threads: readonly CataloguedThread[] = [];
  readonly #store: StorePart;
  readonly #index: SearchIndex;
  readonly #request: SearchRequest;
  readonly #expression: string | undefined;
  /** Only what stands before it is left. */
  #place = EVERY_PLACE;
  #read = 0;

  constructor(store: StorePart, index: SearchIndex, request: SearchRequest, expression: string | undefined) {
    this.#store = store;
    this.#index = index;
    this.#request = request;
    this.#expression = expression;
  }

  /** Goes on for a while. Returns whether it is at the end. */
  step(ms: number): boolean {
    const { database, threads } = this.#store;
    return database.snapshot(() => {
      this.threads = readCatalogue(database, threads).filter((thread) => fits(thread, this.#request));
      const takes = new Takes(database, this.threads);
      const end = performance.now() + ms;
      do this.#walk(takes, end);
      while (this.#place > 0 && performance.now() < end);
      return this.#place === 0;
    });
  }

  #walk(takes: Takes, end: number): void {
    let [at, passed, begun] = [0, 0, false];
    for (const place of this.#expression === undefined ? [] : this.#index.places(this.#expression, this.#place)) {
      // To find the first may take long, and every step has to get on.
      if (begun && performance.now() > end) return;
      begun = true;
      this.#place = place;
      this.#read += 1;
      if (threadAt(place) !== at) [at, passed] = [threadAt(place), 0];
      const thread = takes.threads.get(at);
      if (thread && !this.#isFull(thread)) this.#take(thread, takes.of(thread), place);
      else if (++passed > Math.max(LEAST_LEAP, this.#read - passed)) {
        this.#place = beforeThread(at);
        return;
      }
    }
    this.#place = 0;
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
}

/** The takes that rows are shown in, made ready when a thread is come to. */
class Takes {
  readonly threads: ReadonlyMap<number, CataloguedThread>;
  readonly #database: Database;
  readonly #readers = new Map<CataloguedThread, readonly Reader[]>();

  constructor(database: Database, threads: readonly CataloguedThread[]) {
    this.#database = database;
    this.threads = new Map(threads.map((thread) => [thread.number, thread]));
  }

  /** The active one first. */
  of(thread: CataloguedThread): readonly Reader[] {
    const known = this.#readers.get(thread);
    if (known) return known;
    const readers = [...thread.takes].map(([take, space]) => {
      const layers = layersOf(this.#database, space);
      const rows = new EntryRows(this.#database, { layers });
      return { take, rows, spaces: new Set(layers.map((layer) => layer.space)) };
    });
    readers.sort((a, b) => Number(b.take === thread.active) - Number(a.take === thread.active));
    this.#readers.set(thread, readers);
    return readers;
  }
}

interface Reader {
  readonly take: TakeId;
  readonly rows: EntryRows;
  readonly spaces: ReadonlySet<SpaceId>;
}
