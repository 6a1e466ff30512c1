import type { Model } from "./model.ts";

/**
 * The model that a name stands for. Each provider is loaded only when it is used. `environment` is
 * where keys, base URLs and the script are named.
 */
export async function openModel(name: string, environment: Environment): Promise<OpenedModel> {
  const slash = name.indexOf("/");
  const [provider, model] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)];
  if (provider === "" || model === "") {
    return refused("invalid-name", `A model is named provider/model, and ${JSON.stringify(name)} is not.`);
  }
  const open = PROVIDERS.get(provider);
  return open ? open(model, environment) : refused("unknown-provider", `There is no provider ${provider}.`);
}

export type Environment = Readonly<Record<string, string | undefined>>;

export type OpenedModel =
  | { readonly kind: "model"; readonly model: Model }
  | {
      readonly kind: "refused";
      readonly code: "invalid-name" | "unknown-provider" | "unknown-model" | "script-unreadable" | "script-malformed";
      readonly message: string;
    };

type Open = (model: string, environment: Environment) => Promise<OpenedModel>;

const PROVIDERS: ReadonlyMap<string, Open> = new Map([["scripted", openScripted]]);

async function openScripted(model: string, environment: Environment): Promise<OpenedModel> {
  const { SCRIPTED_MODEL, scriptedModel } = await import("./scripted-model.ts");
  if (`scripted/${model}` !== SCRIPTED_MODEL) {
    return refused("unknown-model", `The provider scripted has no model ${model}.`);
  }
  const file = environment["RETAKE_SCRIPT"];
  if (file === undefined || file === "") return { kind: "model", model: scriptedModel() };
  const { loadScript } = await import("./load-script.ts");
  const loaded = await loadScript(file);
  return loaded.kind === "script" ? { kind: "model", model: scriptedModel(loaded.script) } : loaded;
}

function refused(code: Extract<OpenedModel, { kind: "refused" }>["code"], what: string): OpenedModel {
  const providers = [...PROVIDERS.keys()].join(", ");
  const next = "Choose another with --model or RETAKE_MODEL; scripted/default needs no key and no network.";
  return { kind: "refused", code, message: `${what} Providers: ${providers}. ${next}` };
}
