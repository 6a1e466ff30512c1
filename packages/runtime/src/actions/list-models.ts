import { openConfig } from "../config/open-config.ts";
import { chosenModel } from "../model/chosen-model.ts";
import { contextWindow } from "../model/context-window.ts";
import { listModels } from "../model/list-models.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"listModels"> = async ({ runtime }) => {
  const { directories, environment } = runtime.store;
  const { models: config, prices, context_windows } = await openConfig(directories.config);
  const settings = { environment, config };
  const providers = (await listModels(settings)).map(({ models, ...provider }) => ({
    ...provider,
    models: models.map((name) => {
      const [window, price] = [contextWindow(name, context_windows), prices[name]];
      return { name, ...(window === undefined ? {} : { context_window: window }), ...(price ? { price } : {}) };
    }),
  }));
  return answer({ model: chosenModel(undefined, undefined, settings), providers });
};
