import type { FoundThread } from "../search/search-threads.ts";
import { threadJson } from "./thread-json.ts";

/** What a search answers. */
export function foundThreadsJson(found: readonly FoundThread[], current: string | undefined) {
  return found.map(({ thread, tags, matchCount, matches }) => ({
    ...threadJson(thread, current),
    tags,
    match_count: matchCount,
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
