import { isObject, type Json, type JsonObject, type TakeId } from "@retake/core";
import type { Database } from "@retake/workspace";
import type { Store } from "../open-store.ts";
import { EntryRows } from "../store/entry-rows.ts";
import { SearchIndex, searchedText } from "../store/search-index.ts";
import { SpaceRows } from "../store/space-rows.ts";
import { type CataloguedThread, readCatalogue } from "../store/thread-catalogue.ts";
import type { ThreadSummary } from "../store/thread-store.ts";
import { isIn, matchExpression, searchQuery } from "./search-query.ts";
import { type Snippet, snippetOf } from "./snippet.ts";

/** Every field that is given has to fit; `words` may be in one entry, or in title and tags. */
export interface SearchRequest {
  readonly words?: string;
  readonly title?: string;
  readonly tag?: string;
  readonly role?: string;
  readonly branch?: string;
  /** A commit that was seen, or how it begins. */
  readonly commit?: string;
  /** A workspace, or a directory that workspaces are in. */
  readonly directory?: string;
  /** Milliseconds; an entry found was made within, a thread was worked on within. */
  readonly since?: number;
  readonly until?: number;
}

export interface FoundThread {
  readonly thread: ThreadSummary;
  readonly tags: readonly string[];
  readonly titled: boolean;
  /** Lower is better. */
  readonly rank: number;
  /** How many entries fit; the best of them are in `matches`. */
  readonly matchCount: number;
  readonly matches: readonly Match[];
}

export interface Match extends Snippet {
  readonly entry: string;
  readonly take: TakeId;
  readonly role: string;
  readonly at: string;
}

const mostMatches = 10;

/**
 * L11: the threads of one store that fit. What is searched is what a user can see: the entries of all takes that
 * are not deleted. An entry that several takes share is found once, in the active one if it is there.
 */
export function searchThreads({ database, threads }: Store, request: SearchRequest): FoundThread[] {
  const index = new SearchIndex(database);
  index.catchUp();
  return database.snapshot(() => {
    const catalogue = readCatalogue(database, threads).filter((thread) => fits(thread, request));
    const query = searchQuery(request.words ?? "");
    const looked = query.parts.length > 0;
    // Without words, a role alone is a question about entries too.
    const entries =
      looked || request.role !== undefined
        ? findEntries(database, index, catalogue, request, matchExpression(query))
        : undefined;
    const found: FoundThread[] = [];
    for (const thread of catalogue) {
      const titled =
        looked && request.role === undefined && isIn(query, [thread.summary.title, ...thread.tags].join(" "));
      const hits = entries?.get(thread.summary.id) ?? [];
      if (entries && hits.length === 0 && !titled) continue;
      const matches = hits.slice(0, mostMatches).map(({ entry, take, space }) => {
        const value = new SpaceRows(database).entry(space, entry) ?? {};
        const [role, at] = [String(value["role"]), String(value["ts"])];
        return { entry, take, role, at, ...snippetOf(searchedText(value), query) };
      });
      const { summary, tags } = thread;
      found.push({ thread: summary, tags, titled, rank: hits[0]?.rank ?? 0, matchCount: hits.length, matches });
    }
    return found;
  });
}

/** Those whose titles fit first, then the better match, then the one that was changed last. */
export function byRelevance(a: FoundThread, b: FoundThread): number {
  return Number(b.titled) - Number(a.titled) || a.rank - b.rank || b.thread.updated_at - a.thread.updated_at;
}

interface Hit {
  readonly entry: string;
  readonly space: number;
  readonly take: TakeId;
  readonly rank: number;
}

function findEntries(
  database: Database,
  index: SearchIndex,
  catalogue: readonly CataloguedThread[],
  request: SearchRequest,
  expression: string,
): Map<string, Hit[]> {
  const readers = readersOf(database, catalogue);
  const found = new Map<string, Map<string, Hit>>();
  const only = { role: request.role, since: isoTime(request.since), until: isoTime(request.until) };
  for (const { space, entry, rank } of index.find(expression === "" ? undefined : expression, only)) {
    for (const { thread, take, rows } of readers.get(space) ?? []) {
      const hits = found.get(thread.summary.id) ?? new Map<string, Hit>();
      if (hits.has(entry) && take !== thread.active) continue;
      // A row counts for the takes that show it: in others it is hidden, or cut off.
      if (rows.find(entry)?.space !== space) continue;
      found.set(thread.summary.id, hits.set(entry, { entry, space, take, rank }));
    }
  }
  return new Map([...found].map(([thread, hits]) => [thread, [...hits.values()].sort((a, b) => a.rank - b.rank)]));
}

interface Reader {
  readonly thread: CataloguedThread;
  readonly take: TakeId;
  readonly rows: EntryRows;
}

/** The takes that read from each space. */
function readersOf(database: Database, catalogue: readonly CataloguedThread[]): Map<number, Reader[]> {
  const readers = new Map<number, Reader[]>();
  for (const thread of catalogue) {
    for (const [take, layers] of thread.takes) {
      const reader = { thread, take, rows: new EntryRows(database, { layers }) };
      for (const { space } of layers) readers.set(space, [...(readers.get(space) ?? []), reader]);
    }
  }
  return readers;
}

function fits({ summary, tags, git }: CataloguedThread, request: SearchRequest): boolean {
  const { title, tag, branch, commit, directory, since, until } = request;
  const root = summary.workspace_root;
  const fold = (text: string) => text.toLowerCase();
  return (
    (title === undefined || isIn(searchQuery(title), summary.title)) &&
    (tag === undefined || tags.some((each) => fold(each) === fold(tag))) &&
    (branch === undefined || gitTimes(git).some((time) => time["branch"] === branch)) &&
    (commit === undefined || commitsOf(git).some((each) => each.startsWith(fold(commit)))) &&
    (directory === undefined || root === directory || `${root}/`.startsWith(directory.replace(/\/*$/, "/"))) &&
    (since === undefined || summary.updated_at >= since) &&
    (until === undefined || summary.created_at <= until)
  );
}

function gitTimes(git: JsonObject): JsonObject[] {
  return [git["start"], git["now"]].filter((time): time is JsonObject => isObject(time as Json));
}

function commitsOf(git: JsonObject): string[] {
  const seen = Array.isArray(git["commits"]) ? git["commits"].map(String) : [];
  return [...seen, ...gitTimes(git).map((time) => String(time["commit"] ?? ""))];
}

function isoTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
