import { setImmediate as nextTurn } from "node:timers/promises";
import { openConfig } from "../config/open-config.ts";
import { threadCost } from "../runner/thread-cost.ts";
import { readUsage } from "../store/thread-usage.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"getUsage"> = async ({ runtime, params }) => {
  const config = await openConfig(runtime.store.directories.config);
  const { database } = runtime.store.partOf(params.id);
  while (!readUsage(database, params.id)) await nextTurn();
  return answer({ ...threadCost(runtime.store, params.id, config) });
};
