import { isObject, type JsonObject } from "../values/json.ts";
import { SYNC_VERSION } from "./limits.ts";
import type { SyncAnswer, SyncCall, SyncInput } from "./sync-calls.ts";
import { checkSyncRefusal, type SyncRefusal, type SyncRefusalCode, type SyncRefusalDetails } from "./sync-refusal.ts";
import { SYNC_ROUTES, type SyncRoute } from "./sync-routes.ts";

/** A request as data. The sender adds the address of the server, and `authorization: Bearer <token>`. */
export interface SyncHttpRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A response. The body is bytes where the route says so and the status is 200; otherwise JSON, or undefined. */
export interface SyncHttpResponse {
  readonly status: number;
  readonly body: unknown;
  /** The Retry-After header, if any. */
  readonly retry_after?: string | null;
}

/** The outcome of a call for a device: the answer, a refusal of the server, or that no valid answer came. */
export type SyncOutcome<C extends SyncCall> =
  | { readonly kind: "answer"; readonly answer: SyncAnswer<C> }
  | SyncRefusal
  | NoAnswer;

/** The server may or may not have done it. Every call can be repeated. */
export interface NoAnswer {
  readonly kind: "no-answer";
  readonly message: string;
}

export const VERSION_HEADER = "retake-sync-version";

export function syncRequest<C extends SyncCall>(call: C, input: SyncInput<C>): SyncHttpRequest {
  const route: SyncRoute = SYNC_ROUTES[call];
  const rest: Record<string, unknown> = { ...input };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  const headers: Record<string, string> = { [VERSION_HEADER]: String(SYNC_VERSION) };
  if (route.bytes === "input") {
    const { bytes, ...query } = rest;
    headers["content-type"] = "application/octet-stream";
    return { method: route.method, path: path + queryOf(query), headers, body: bytes as Uint8Array };
  }
  if (route.method === "GET" || route.method === "DELETE")
    return { method: route.method, path: path + queryOf(rest), headers };
  headers["content-type"] = "application/json";
  return { method: route.method, path, headers, body: JSON.stringify(rest) };
}

/** The input of a call, from the parts of a request; the server checks it with the route's `input`. */
export function syncInput(
  call: SyncCall,
  parts: { readonly path: Readonly<Record<string, string>>; readonly query: URLQuery; readonly body: unknown },
): unknown {
  const query = Object.fromEntries(
    Object.entries(parts.query).map(([name, value]) => [name, READERS[name]?.(value) ?? value]),
  );
  const route: SyncRoute = SYNC_ROUTES[call];
  if (route.bytes === "input") return { ...query, ...parts.path, bytes: parts.body };
  if (route.method === "GET" || route.method === "DELETE") return { ...query, ...parts.path };
  return isObject(parts.body) ? { ...parts.body, ...parts.path } : parts.body;
}

export function syncOutcome<C extends SyncCall>(call: C, response: SyncHttpResponse): SyncOutcome<C> {
  const { status, body } = response;
  if (status === 200) {
    const problem = SYNC_ROUTES[call].answer(body);
    if (problem === undefined) return { kind: "answer", answer: body as SyncAnswer<C> };
    return { kind: "no-answer", message: `The answer of the server ${problem}.` };
  }
  const error = isObject(body) ? body["error"] : undefined;
  // A proxy before the server answers in its own words.
  if (checkSyncRefusal(error) !== undefined) {
    const retry = secondsIn(response.retry_after);
    const message = `The server answered with status ${status}.`;
    if (retry === undefined) return { kind: "no-answer", message };
    return { kind: "refused", code: "unavailable", message, details: { retry_after_ms: retry * 1000 } };
  }
  const { code, message, details } = error as unknown as {
    readonly code: SyncRefusalCode;
    readonly message: string;
    readonly details?: SyncRefusalDetails;
  };
  return { kind: "refused", code, message, ...(details && { details }) };
}

/** The body of a response that refuses. */
export function refusalBody({ kind: _, ...error }: SyncRefusal): JsonObject {
  return { error } as unknown as JsonObject;
}

type URLQuery = Readonly<Record<string, string>>;

/** The fields of queries that are no texts. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  after: numberIn,
  wait: numberIn,
  seen: (text) => (text === "" ? [] : text.split(",")),
};

function numberIn(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function secondsIn(header: string | null | undefined): number | undefined {
  return header && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parts.length > 0 ? `?${parts.join("&")}` : "";
}
