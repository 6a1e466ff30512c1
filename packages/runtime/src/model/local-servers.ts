import type { Environment } from "../store/directories.ts";
import { isWebAddress, type LocalPlace, type ModelSettings } from "./provider-access.ts";

/** A model server on this machine that speaks OpenAI's protocol. */
export interface LocalServer extends LocalPlace {
  readonly models: readonly string[];
}

/**
 * The model servers that run on this machine, found by asking at the usual places unless others are given. Only the
 * list of models is requested; a server that does not answer in the expected form at once does not count.
 */
export async function findLocalServers({ environment, local }: ModelSettings): Promise<LocalServer[]> {
  const asked = await Promise.all(
    (local ?? usualPlaces(environment)).map(async ({ label, base_url }) => {
      const models = await askForModels(`${base_url}/models`, {}, LOCAL_TIMEOUT_MS);
      return models.kind === "models" ? [{ label, base_url, models: models.names }] : [];
    }),
  );
  return asked.flat();
}

export type AskedModels =
  | { readonly kind: "models"; readonly names: readonly string[] }
  | { readonly kind: "unreachable"; readonly why: string };

/** The names of a provider's models, in any of the usual forms of the list. */
export async function askForModels(
  url: string,
  headers: Readonly<Record<string, string>>,
  timeout_ms: number,
): Promise<AskedModels> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeout_ms), redirect: "error" });
    if (!response.ok) return { kind: "unreachable", why: refusalOf(response.status) };
    const names = namesIn(await response.json());
    return names ? { kind: "models", names } : { kind: "unreachable", why: "it answers, but lists no models" };
  } catch (error) {
    const late = (error as Error).name === "TimeoutError";
    return { kind: "unreachable", why: late ? "it does not answer" : "there is no connection to it" };
  }
}

/** On this machine an answer comes at once, or there is no server. */
const LOCAL_TIMEOUT_MS = 500;

function usualPlaces(environment: Environment): LocalPlace[] {
  return [
    { label: "Ollama", base_url: ollamaUrl(environment["OLLAMA_HOST"]) },
    { label: "llama.cpp", base_url: "http://127.0.0.1:8080/v1" },
    { label: "LM Studio", base_url: "http://127.0.0.1:1234/v1" },
    { label: "vLLM", base_url: "http://127.0.0.1:8000/v1" },
  ];
}

/**
 * `OLLAMA_HOST` may be a host, a host with a port, or a whole address; a server listens on 0.0.0.0 but cannot be
 * reached under it.
 */
function ollamaUrl(host = ""): string {
  const named = /^[a-z]+:\/\//i.test(host) ? host : `http://${host === "" ? "127.0.0.1" : host}`;
  if (!isWebAddress(named)) return "http://127.0.0.1:11434/v1";
  const url = new URL(named);
  if (url.port === "" && !/:\d+\/?$/.test(named)) url.port = "11434";
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  return `${url.origin}/v1`;
}

function refusalOf(status: number): string {
  if (status === 401 || status === 403) return "it refuses the key";
  return `it answers with status ${status}`;
}

/** `{data: [{id}]}` of OpenAI and Anthropic, `{models: [{name: "models/…"}]}` of Google. */
function namesIn(answer: unknown): string[] | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { data, models } = answer as { data?: unknown; models?: unknown };
  const list = Array.isArray(data) ? data : Array.isArray(models) ? models : undefined;
  return list?.flatMap((each: { id?: unknown; name?: unknown } | null) => {
    const name = each?.id ?? each?.name;
    return typeof name === "string" ? [name.replace(/^models\//, "")] : [];
  });
}
