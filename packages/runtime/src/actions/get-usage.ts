import { openConfig } from "../config/open-config.ts";
import { threadCost } from "../runner/thread-cost.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"getUsage"> = async ({ runtime, params }) =>
  answer({ ...threadCost(runtime.store, params.id, await openConfig(runtime.store.directories.config)) });
