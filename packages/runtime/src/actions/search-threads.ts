import { foundThreadsJson } from "../answers/found-threads.ts";
import { threadNames } from "../names/find-thread.ts";
import { searchStore } from "../search/search-store.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"searchThreads"> = async ({ runtime, root, query }) => {
  const { limit, since, until, ...given } = query;
  const request = {
    ...given,
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
  };
  const { threads, total } = await searchStore(runtime.store, request, limit);
  const current = runtime.current(root)?.id;
  const nameOf = threadNames({ store: runtime.store, root }, current);
  return answer({ threads: foundThreadsJson(threads, current, nameOf), total });
};
