import { client } from "./connection.ts";

let models: ReturnType<typeof client.listModels> | undefined;

/** The models that can be used, and the one of threads that choose none. Asked once for the page. */
export function readModels() {
  models ??= client.listModels();
  models.catch(() => {
    models = undefined;
  });
  return models;
}
