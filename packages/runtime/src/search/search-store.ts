import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "../store/open-store.ts";
import { type FoundThread, foundThread } from "./found-thread.ts";
import { searchQuery } from "./search-query.ts";
import type { SearchRequest } from "./search-request.ts";
import { byRelevance, searchThreads } from "./search-threads.ts";

/** L11: the matching threads of all workspaces, the best first; `total` also counts those beyond the limit. */
export async function searchStore(
  store: Store,
  request: SearchRequest,
  limit?: number,
): Promise<{ readonly threads: readonly FoundThread[]; readonly total: number }> {
  const found = [];
  for (const part of store.parts())
    for (const each of await searchThreads(part, request)) found.push({ ...each, part });
  const query = searchQuery(request.words ?? "");
  const threads: FoundThread[] = [];
  for (const { part, ...ranked } of found.sort(byRelevance).slice(0, limit)) {
    threads.push(foundThread(part, ranked, query));
    // Reading their matches may take long.
    await nextTurn();
  }
  return { threads, total: found.length };
}
