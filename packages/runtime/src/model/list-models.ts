import { askForModels, findLocalServers } from "./local-servers.ts";
import { type Access, findAccess, type ModelSettings, PROVIDER_ACCESS, type ProviderName } from "./provider-access.ts";
import { SCRIPTED_MODEL } from "./scripted-model-name.ts";

/** A provider, whether it can be used, and the names of its models for `--model`. */
export interface ProviderModels {
  readonly provider: string;
  readonly label: string;
  readonly status: "ready" | "unreachable" | "not-configured";
  /** The reason why the provider is not ready. */
  readonly message?: string;
  readonly models: readonly string[];
}

/** The models that are configured and reachable now. All providers are asked at once; each gets only its own key. */
export async function listModels(settings: ModelSettings): Promise<ProviderModels[]> {
  const providers = Object.keys(PROVIDER_ACCESS) as ProviderName[];
  const [local, ...asked] = await Promise.all([
    localModels(settings),
    ...providers.map((provider) => askProvider(provider, settings)),
  ]);
  const scripted: ProviderModels = {
    provider: "scripted",
    label: "Embedded, for trying things out",
    status: "ready",
    models: [SCRIPTED_MODEL],
  };
  // A server may be both configured and found: then only the configured one is listed.
  const named = asked.some(({ provider, status }) => provider === "compatible" && status !== "not-configured");
  const listed = named ? asked : asked.filter(({ provider }) => provider !== "compatible" || local.length === 0);
  return [scripted, ...listed, ...(named ? [] : local)];
}

const TIMEOUT_MS = 5_000;

async function askProvider(provider: ProviderName, settings: ModelSettings): Promise<ProviderModels> {
  const { label } = PROVIDER_ACCESS[provider];
  const access = findAccess(provider, settings);
  if (access.kind === "refused") {
    return { provider, label, status: "not-configured", message: access.message, models: [] };
  }
  const asked = await askForModels(`${access.baseURL}/models`, headersFor(provider, access), TIMEOUT_MS);
  if (asked.kind === "unreachable") {
    return { provider, label, status: "unreachable", message: `${label}: ${asked.why}.`, models: [] };
  }
  return { provider, label, status: "ready", models: asked.names.map((name) => `${provider}/${name}`) };
}

async function localModels(settings: ModelSettings): Promise<ProviderModels[]> {
  const servers = await findLocalServers(settings);
  return servers.map(({ label, base_url, models }) => ({
    provider: "compatible",
    label: `${label} at ${base_url}`,
    status: "ready",
    models: models.map((name) => `compatible/${name}`),
  }));
}

function headersFor(provider: ProviderName, { apiKey }: Access): Record<string, string> {
  if (apiKey === "") return {};
  if (provider === "anthropic") return { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
  return provider === "google" ? { "x-goog-api-key": apiKey } : { authorization: `Bearer ${apiKey}` };
}
