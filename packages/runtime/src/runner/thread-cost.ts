import { addUsage, type Usage } from "@retake/core";
import type { Config } from "../config/open-config.ts";
import { costOf } from "../model/cost.ts";
import { modelFacts } from "../model/model-facts.ts";
import type { Store } from "../store/open-store.ts";
import { type ModelUsage, threadUsage } from "../store/thread-usage.ts";

export interface ThreadCost {
  readonly turns: number;
  readonly usage: Usage;
  /** Absent where a price is not known, and where nothing was used. */
  readonly cost?: number;
  readonly models: readonly (ModelUsage & { readonly cost?: number })[];
}

/** The tokens that a thread has used until now, and their cost, by model. */
export function threadCost(store: Store, thread: string, config: Config): ThreadCost {
  const models = threadUsage(store.partOf(thread).database, thread).map((each) => {
    const cost = costOf(each.usage, modelFacts(each.model, config).price);
    return { ...each, ...(cost === undefined ? {} : { cost }) };
  });
  const usage = models.reduce((sum, each) => addUsage(sum, each.usage), {});
  const costs = models.map(({ cost }) => cost);
  const cost = costs.every((each) => each !== undefined) ? costs.reduce((sum, each) => sum + each, 0) : undefined;
  return {
    turns: models.reduce((sum, { turns }) => sum + turns, 0),
    usage,
    ...(cost === undefined || models.length === 0 ? {} : { cost }),
    models,
  };
}
