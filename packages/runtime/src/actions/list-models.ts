import { openConfig } from "../config/open-config.ts";
import { chosenModel } from "../model/chosen-model.ts";
import { listModels } from "../model/list-models.ts";
import { modelFacts } from "../model/model-facts.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"listModels"> = async ({ runtime }) => {
  const { directories, environment } = runtime.store;
  const configured = await openConfig(directories.config);
  const { models: config } = configured;
  const settings = { environment, config };
  const providers = (await listModels(settings)).map(({ models, ...provider }) => ({
    ...provider,
    models: models.map((name) => {
      const { context_window, max_output, price } = modelFacts(name, configured);
      return { name, context_window, max_output, price };
    }),
  }));
  return answer({ model: chosenModel(undefined, undefined, settings), providers });
};
