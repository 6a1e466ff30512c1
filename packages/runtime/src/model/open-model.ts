import type { Model } from "./model.ts";
import {
  type FoundAccess,
  findAccess,
  type ModelSettings,
  PROVIDER_ACCESS,
  type ProviderName,
} from "./provider-access.ts";
import { SCRIPTED_MODEL } from "./scripted-model-name.ts";
import type { OpenProvider } from "./sdk-model.ts";

/**
 * The model with a given name. Each provider is loaded on first use, and a missing key or address is reported before
 * anything begins.
 */
export async function openModel(name: string, settings: ModelSettings): Promise<OpenedModel> {
  const slash = name.indexOf("/");
  const [provider, model] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)];
  if (provider === "" || model === "") {
    return refused("invalid-name", `A model is named provider/model, and ${JSON.stringify(name)} is not.`);
  }
  if (provider === "scripted") return openScripted(model, settings);
  if (!Object.hasOwn(LOADERS, provider)) return refused("unknown-provider", `There is no provider ${provider}.`);
  return openProvider(name, provider as ProviderName, model, settings);
}

export type OpenedModel = { readonly kind: "model"; readonly model: Model } | RefusedModel;

export interface RefusedModel {
  readonly kind: "refused";
  readonly code:
    | "invalid-name"
    | "unknown-provider"
    | "unknown-model"
    | "missing-key"
    | "invalid-base-url"
    | "script-unreadable"
    | "script-malformed";
  readonly message: string;
}

const LOADERS: Record<ProviderName, () => Promise<OpenProvider>> = {
  anthropic: async () => (await import("./providers/anthropic.ts")).openAnthropic,
  openai: async () => (await import("./providers/openai.ts")).openOpenai,
  google: async () => (await import("./providers/google.ts")).openGoogle,
  deepseek: async () => (await import("./providers/deepseek.ts")).openDeepseek,
  compatible: async () => (await import("./providers/compatible.ts")).openCompatible,
};

/** Models that think may be silent for a while, but not for longer than this. */
const IDLE_MS = 180_000;

async function openProvider(
  name: string,
  provider: ProviderName,
  model: string,
  settings: ModelSettings,
): Promise<OpenedModel> {
  const named = findAccess(provider, settings);
  const access = named.kind === "refused" ? ((await localAccess(provider, model, settings)) ?? named) : named;
  if (access.kind === "refused") return access;
  const [open, { sdkModel }, { watchedFetch }, { eventStreamFetch }] = await Promise.all([
    LOADERS[provider](),
    import("./sdk-model.ts"),
    import("./watched-fetch.ts"),
    import("./event-stream.ts"),
  ]);
  const { apiKey, baseURL } = access;
  const fetch = eventStreamFetch(watchedFetch(settings.idle_ms ?? IDLE_MS));
  const opened = open(model, { apiKey, baseURL, fetch });
  return { kind: "model", model: sdkModel(name, opened, apiKey) };
}

/** The server on this machine that has the model, when no address was given. */
async function localAccess(
  provider: ProviderName,
  model: string,
  settings: ModelSettings,
): Promise<FoundAccess | RefusedModel | undefined> {
  if (provider !== "compatible") return undefined;
  const { findLocalServers } = await import("./local-servers.ts");
  const servers = await findLocalServers(settings);
  const server = servers.find(({ models }) => models.includes(model));
  if (server) return { kind: "access", apiKey: "", baseURL: server.base_url };
  if (servers.length === 0) return undefined;
  const offered = servers.flatMap(({ models }) => models.map((name) => `compatible/${name}`)).join(", ");
  return refused("unknown-model", `No server on this machine has the model ${model}. They have ${offered}.`);
}

async function openScripted(model: string, { environment }: ModelSettings): Promise<OpenedModel> {
  if (`scripted/${model}` !== SCRIPTED_MODEL) {
    return refused("unknown-model", `The provider scripted has no model ${model}.`);
  }
  const { scriptedModel } = await import("./scripted-model.ts");
  const file = environment["RETAKE_SCRIPT"];
  if (file === undefined || file === "") return { kind: "model", model: scriptedModel() };
  const { loadScript } = await import("./load-script.ts");
  const loaded = await loadScript(file);
  return loaded.kind === "script" ? { kind: "model", model: scriptedModel(loaded.script) } : loaded;
}

function refused(code: RefusedModel["code"], what: string): RefusedModel {
  const providers = ["scripted", ...Object.keys(PROVIDER_ACCESS)].join(", ");
  const next = "Choose another with --model or RETAKE_MODEL; scripted/default needs no key and no network.";
  return { kind: "refused", code, message: `${what} Providers: ${providers}. ${next}` };
}
