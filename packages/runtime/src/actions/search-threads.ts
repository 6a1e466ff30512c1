import { foundThreadsJson } from "../answers/found-threads.ts";
import { searchStore } from "../search/search-store.ts";
import { type Action, answer } from "./action.ts";
import { defined } from "./shared/defined.ts";

export const action: Action<"searchThreads"> = async ({ runtime, root, query }) => {
  const { limit, since, until, ...given } = query;
  const request = {
    ...defined(given),
    ...(since === undefined ? {} : { since: Date.parse(since) }),
    ...(until === undefined ? {} : { until: Date.parse(until) }),
  };
  const { threads } = await searchStore(runtime.store, request, limit);
  return answer({ threads: foundThreadsJson(threads, runtime.current(root)?.id) });
};
