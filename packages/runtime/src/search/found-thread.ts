import type { TakeId } from "@retake/core";
import { searchedText } from "../store/search-index.ts";
import { SpaceRows } from "../store/space-rows.ts";
import type { StorePart } from "../store/store-part.ts";
import type { ThreadSummary } from "../store/thread-store.ts";
import type { SearchQuery } from "./search-query.ts";
import type { RankedThread } from "./search-threads.ts";
import { type Snippet, snippetOf } from "./snippet.ts";

export interface FoundThread {
  readonly thread: ThreadSummary;
  readonly tags: readonly string[];
  /** How many entries match, as far as they were counted; the best are in `matches`. */
  readonly matchCount: number;
  /** Whether there are more than were counted. */
  readonly moreMatches: boolean;
  readonly matches: readonly Match[];
}

export interface Match extends Snippet {
  readonly entry: string;
  readonly take: TakeId;
  readonly role: string;
  readonly at: string;
}

const MOST_MATCHES = 10;

/** A found thread with the text of its best matches. */
export function foundThread({ database }: StorePart, ranked: RankedThread, query: SearchQuery): FoundThread {
  const { thread, tags, hits, more } = ranked;
  const rows = new SpaceRows(database);
  const matches = hits.slice(0, MOST_MATCHES).flatMap(({ entry, take, space }) => {
    // It may have been removed meanwhile.
    const value = rows.entry(space, entry);
    if (!value) return [];
    const [role, at] = [String(value["role"]), String(value["ts"])];
    return [{ entry, take, role, at, ...snippetOf(searchedText(value), query) }];
  });
  return { thread, tags, matchCount: hits.length, moreMatches: more, matches };
}
