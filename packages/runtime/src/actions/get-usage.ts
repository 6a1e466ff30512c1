import { addUsage } from "@retake/core";
import { openConfig } from "../config/open-config.ts";
import { costOf } from "../model/cost.ts";
import { modelFacts } from "../model/model-facts.ts";
import { threadUsage } from "../store/thread-usage.ts";
import { type Action, answer } from "./action.ts";

/** The cost is absent where a price is not known. */
export const action: Action<"getUsage"> = async ({ runtime, params }) => {
  const configured = await openConfig(runtime.store.directories.config);
  const models = threadUsage(runtime.store.partOf(params.id).database, params.id).map((each) => {
    const cost = costOf(each.usage, modelFacts(each.model, configured).price);
    return { ...each, ...(cost === undefined ? {} : { cost }) };
  });
  const usage = models.reduce((sum, each) => addUsage(sum, each.usage), {});
  const costs = models.map(({ cost }) => cost);
  const cost = costs.every((each) => each !== undefined) ? costs.reduce((sum, each) => sum + each, 0) : undefined;
  return answer({
    ...{ turns: models.reduce((sum, { turns }) => sum + turns, 0), usage },
    ...(cost === undefined || models.length === 0 ? {} : { cost }),
    models,
  });
};
