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

/** A matching thread, and its matching entries. */
export interface RankedThread {
  readonly thread: ThreadSummary;
  readonly tags: readonly string[];
  readonly titled: boolean;
  /** Lower is better. */
  readonly rank: number;
  /** The best first. */
  readonly hits: readonly Hit[];
  /** More entries match; these are the newest. */
  readonly more: boolean;
}

export interface Hit {
  readonly entry: string;
  readonly space: SpaceId;
  readonly take: TakeId;
  /** The size of the entry: the shorter it is, the larger the matching share. */
  readonly size: number;
}

/** How many entries are searched in a thread: a word in all of 100,000 entries costs no more than one in some. */
const MOST_HITS = 100;
/** How many places are skipped one by one before a jump is worth its cost. */
const LEAST_LEAP = 64;
/** The time of one step, after which other work gets a turn. Tests use shorter ones. */
const STEP_MS = 10;

/**
 * L11: the matching threads of one store. Search covers what a user can see: the entries of all takes that are not
 * deleted. An entry that several takes share is found once, in the active take if it is there.
 */
export async function searchThreads(
  store: StorePart,
  request: SearchRequest,
  stepMs = STEP_MS,
): Promise<RankedThread[]> {
  const index = new SearchIndex(store.database);
  while (index.catchUp()) await nextTurn();
  const query = searchQuery(request.words ?? "");
  // Signs are in no index: words that are nothing else are found nowhere.
  if (query.parts.length === 0 && (request.words ?? "").trim() !== "") return [];
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

/** Matching titles first, then the better match, then the last changed. */
export function byRelevance(a: RankedThread, b: RankedThread): number {
  return Number(b.titled) - Number(a.titled) || a.rank - b.rank || b.thread.updated_at - a.thread.updated_at;
}

interface ThreadHits {
  readonly hits: Map<string, Hit>;
  more: boolean;
}

/**
 * A walk along the matches of the index, newest first, in steps that each see the store at one moment. Threads with
 * enough matches, and threads that do not match the request, are skipped. After as many matches of a thread were
 * skipped as had been read before, the walk jumps over the rest: for a prefix, a jump costs about as much as reading
 * all matches.
 */
class Walk {
  readonly found = new Map<string, ThreadHits>();
  /** The threads that match the request, as of the last step. */
  threads: readonly CataloguedThread[] = [];
  readonly #store: StorePart;
  readonly #index: SearchIndex;
  readonly #request: SearchRequest;
  readonly #expression: string | undefined;
  /** Only places before it are left. */
  #place = EVERY_PLACE;
  #read = 0;
  /** The first of all matches at this step: without one before it, a leap would be for nothing. */
  #first: number | undefined;

  constructor(store: StorePart, index: SearchIndex, request: SearchRequest, expression: string | undefined) {
    this.#store = store;
    this.#index = index;
    this.#request = request;
    this.#expression = expression;
  }

  /** Continues for a while. Returns whether it is at the end. */
  step(ms: number): boolean {
    const { database, threads } = this.#store;
    return database.snapshot(() => {
      this.threads = readCatalogue(database, threads).filter((thread) => fits(thread, this.#request));
      const takes = new Takes(database, this.threads);
      this.#first = undefined;
      const end = performance.now() + ms;
      do this.#walk(takes, end);
      while (this.#place > 0 && performance.now() < end);
      return this.#place === 0;
    });
  }

  #walk(takes: Takes, end: number): void {
    let [at, passed, begun] = [0, 0, false];
    for (const place of this.#expression === undefined ? [] : this.#index.places(this.#expression, this.#place)) {
      // Finding the first may take long, and every step must make progress.
      if (begun && performance.now() > end) return;
      begun = true;
      this.#place = place;
      this.#read += 1;
      if (threadAt(place) !== at) [at, passed] = [threadAt(place), 0];
      const thread = takes.threads.get(at);
      if (thread && !this.#isFull(thread)) this.#take(thread, takes.of(thread), place);
      else if (++passed > Math.max(LEAST_LEAP, this.#read - passed)) {
        const before = beforeThread(at);
        this.#first ??= this.#index.firstMatch(this.#expression ?? "");
        this.#place = this.#first < before ? before : 0;
        return;
      }
    }
    this.#place = 0;
  }

  /** Whether enough matches were found; when called for another match, it records that there are more. */
  #isFull({ summary }: CataloguedThread): boolean {
    const found = this.found.get(summary.id);
    if (!found || found.hits.size < MOST_HITS) return false;
    found.more = true;
    return true;
  }

  #take({ summary, active }: CataloguedThread, readers: readonly Reader[], place: number): void {
    for (const { space, entry, size, ts } of this.#index.at(place)) {
      if (!this.#isInTime(ts)) continue;
      // A row counts for the takes that show it: other takes hide it or cut it off.
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

/** The takes that show rows, prepared when the walk reaches a thread. */
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
