import type { Environment } from "../store/directories.ts";

/** Where keys and base URLs come from: the environment and `config.toml`. */
export interface ModelSettings {
  readonly environment: Environment;
  readonly config?: ModelConfig;
  /** How long a model may send nothing at all before its answer counts as stalled. */
  readonly idle_ms?: number;
  /** Where to look for model servers on this machine; the usual places by default. */
  readonly local?: readonly LocalPlace[];
}

export interface LocalPlace {
  readonly label: string;
  readonly base_url: string;
}

export interface ModelConfig {
  /** The model of threads that choose none. */
  readonly model?: string;
  readonly providers: {
    readonly [name: string]: { readonly api_key?: string; readonly base_url?: string } | undefined;
  };
}

export interface Access {
  readonly apiKey: string;
  readonly baseURL: string;
}

export type FoundAccess =
  | ({ readonly kind: "access" } & Access)
  | { readonly kind: "refused"; readonly code: "missing-key" | "invalid-base-url"; readonly message: string };

/** How a provider is reached. The environment overrides the config: it is closer to the user's command. */
export function findAccess(provider: ProviderName, { environment, config }: ModelSettings): FoundAccess {
  const { label, keys, urls, home, path, keyless }: AccessRules = PROVIDER_ACCESS[provider];
  const chosen = config?.providers[provider];
  const apiKey = (firstOf(environment, keys) ?? chosen?.api_key ?? "").trim();
  const url = (firstOf(environment, urls) ?? chosen?.base_url ?? home).trim();
  const refuse = (code: "missing-key" | "invalid-base-url", message: string): FoundAccess => ({
    kind: "refused",
    code,
    message: `${message} Nothing was sent and nothing was changed.`,
  });
  const where = `${urls[0]}, or base_url under [providers.${provider}] in config.toml`;
  if (url === "") return refuse("invalid-base-url", `${label} needs the address of the server: set ${where}.`);
  if (!isWebAddress(url))
    return refuse("invalid-base-url", `The base URL of ${label} is no web address: mend ${where}.`);
  if (apiKey === "" && !keyless) {
    const config = `api_key under [providers.${provider}] in config.toml`;
    return refuse("missing-key", `There is no key for ${label}: set ${keys[0]}, or ${config}.`);
  }
  return { kind: "access", apiKey, baseURL: withPath(url, path) };
}

/** Every known key, under the name of its variable: these must never be written anywhere. */
export function knownKeys(config: ModelConfig | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config?.providers ?? {}).flatMap(([name, { api_key } = {}]) =>
      api_key === undefined ? [] : [[`${name.toUpperCase()}_API_KEY`, api_key]],
    ),
  );
}

interface AccessRules {
  /** The name shown to users. */
  readonly label: string;
  /** Variables that may hold the key, and the base URL; the first is the one to mention. */
  readonly keys: readonly [string, ...string[]];
  readonly urls: readonly [string, ...string[]];
  readonly home: string;
  /** Added to a base URL that consists of a host alone. */
  readonly path: string;
  /** A server of the user's own may need no key. */
  readonly keyless?: true;
}

export const PROVIDER_ACCESS = {
  anthropic: {
    label: "Anthropic",
    keys: ["ANTHROPIC_API_KEY"],
    urls: ["ANTHROPIC_BASE_URL"],
    home: "https://api.anthropic.com",
    path: "/v1",
  },
  openai: {
    label: "OpenAI",
    keys: ["OPENAI_API_KEY"],
    urls: ["OPENAI_BASE_URL"],
    home: "https://api.openai.com",
    path: "/v1",
  },
  google: {
    label: "Google",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
    urls: ["GOOGLE_GENERATIVE_AI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"],
    home: "https://generativelanguage.googleapis.com",
    path: "/v1beta",
  },
  deepseek: {
    label: "DeepSeek",
    keys: ["DEEPSEEK_API_KEY"],
    urls: ["DEEPSEEK_BASE_URL"],
    home: "https://api.deepseek.com",
    path: "",
  },
  compatible: {
    label: "The OpenAI-compatible endpoint",
    keys: ["RETAKE_API_KEY"],
    urls: ["RETAKE_BASE_URL"],
    home: "",
    path: "/v1",
    keyless: true,
  },
} as const satisfies Record<string, AccessRules>;

export type ProviderName = keyof typeof PROVIDER_ACCESS;

function firstOf(environment: Environment, names: readonly string[]): string | undefined {
  return names.map((name) => environment[name]).find((value) => value !== undefined && value.trim() !== "");
}

export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
}

function withPath(url: string, path: string): string {
  const bare = url.replace(/\/+$/, "");
  return new URL(url).pathname === "/" ? `${bare}${path}` : bare;
}
