import type { FoundThread } from "../search/found-thread.ts";
import type { ThreadSummary } from "../store/thread-store.ts";
import { threadJson } from "./thread-json.ts";

/** The answer to a search. */
export function foundThreadsJson(
  found: readonly FoundThread[],
  current: string | undefined,
  nameOf: (thread: ThreadSummary) => string,
) {
  return found.map(({ thread, tags, matchCount, moreMatches, matches }) => ({
    ...threadJson(thread, current),
    name: nameOf(thread),
    tags,
    match_count: matchCount,
    more_matches: moreMatches,
    matches: matches.map(({ entry, take, role, at, snippet, highlights }) => ({
      entry_id: entry,
      take,
      role,
      ts: at,
      snippet,
      highlights,
    })),
  }));
}
