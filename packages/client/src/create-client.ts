import type { z } from "zod";
import { ApiError, apiError } from "./api-error.ts";
import { endpoints } from "./endpoints.ts";
import { type FollowedEvents, type FollowOptions, followEvents } from "./follow-events.ts";
import type { Endpoint, PathValues, Route } from "./route.ts";
import type { RouteName, Routes } from "./routes.ts";
import type { RetakeEvent } from "./wire/event.ts";

/**
 * A client for every route, made from their descriptions: `client.undo(thread, { turns: 2 })`. The values of the path
 * come first, in order, then the body (or the query, where a route has no body). Anything but a success is thrown as an
 * `ApiError`. Runs in Node and in a browser.
 */
export function createClient(options: ClientOptions): Client {
  const send = sender(options);
  const calls = Object.entries(endpoints as Readonly<Record<string, Endpoint>>).map(([name, endpoint]) => {
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].length;
    const takesInput = endpoint.input !== undefined;
    const call = async (...args: unknown[]) => {
      const path = fillPath(endpoint.path, args.slice(0, names));
      const input = takesInput ? args[names] : undefined;
      const response = await send(endpoint, path, input, args[names + (takesInput ? 1 : 0)] as CallOptions | undefined);
      return response.json();
    };
    return [name, call] as const;
  });
  return {
    ...(Object.fromEntries(calls) as unknown as Calls),
    followEvents: ({ thread, ...following } = {}) =>
      followEvents(
        (headers, signal) => send(endpoints.followEvents, endpoints.followEvents.path, { thread }, { headers, signal }),
        following,
      ),
    followTurn: (thread, turn, following = {}) => {
      const path = fillPath(endpoints.followTurn.path, [thread, turn]);
      return followEvents(
        (headers, signal) => send(endpoints.followTurn, path, {}, { headers, signal }),
        following,
        ({ type }) => type === "turn-finished" || type === "turn-not-started",
      );
    },
  };
}

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:4317`. */
  readonly url: string;
  /** Not in a browser that is signed in: its cookie speaks for it. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Only if the thread is at this version (`If-Match`): otherwise a 409 that says what changed. */
  readonly version?: number;
  /** The same key twice does it once (`Idempotency-Key`). */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** The query of a route that takes a body too. */
  readonly query?: Readonly<Record<string, string | boolean>>;
}

export type Client = Calls & {
  /** Every event since `since_seq`, or from now on; comes back by itself when the connection is lost. */
  followEvents(options?: FollowedEvents): AsyncGenerator<RetakeEvent, void>;
  /** The events of one turn, from its beginning to its end; comes back in the same way. */
  followTurn(thread: string, turn: string, options?: FollowOptions): AsyncGenerator<RetakeEvent, void>;
};

type Calls = { readonly [Name in Exclude<RouteName, "followEvents" | "followTurn">]: Call<Routes[Name]> };

type Call<Described extends Route> = (
  ...args: [...PathValues<Described["path"]>, ...InputOf<Described>, options?: CallOptions]
) => Promise<z.output<Described["answer"]>>;

type InputOf<Described extends Route> = Described extends { readonly body: infer Body extends z.ZodType }
  ? Optional<z.input<Body>>
  : Described extends { readonly query: infer Query extends z.ZodType }
    ? Optional<z.output<Query>>
    : [];

type Optional<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

function sender({ url, token, fetch: give = fetch }: ClientOptions) {
  const base = url.replace(/\/+$/, "");
  return async (endpoint: Endpoint, path: string, input: unknown, options: CallOptions = {}): Promise<Response> => {
    const headers: Record<string, string> = { accept: endpoint.stream ? "text/event-stream" : "application/json" };
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    if (options.version !== undefined) headers["if-match"] = String(options.version);
    if (options.idempotencyKey !== undefined) headers["idempotency-key"] = options.idempotencyKey;
    const hasBody = endpoint.input === "body";
    if (hasBody) headers["content-type"] = "application/json";
    const query = queryText(hasBody ? options.query : input);
    const response = await give(`${base}${path}${query}`, {
      method: endpoint.method,
      headers: { ...headers, ...options.headers },
      ...(hasBody ? { body: JSON.stringify(input ?? {}) } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
      cache: "no-store",
      redirect: "error",
    });
    if (!response.ok) throw await apiError(response);
    return response;
  };
}

function fillPath(path: string, values: readonly unknown[]): string {
  let at = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[at++];
    if (typeof value !== "string" || value === "")
      throw new ApiError(0, "invalid-input", `The path ${path} needs a ${name}. Nothing was sent.`);
    return encodeURIComponent(value);
  });
}

function queryText(input: unknown): string {
  const given = Object.entries((input ?? {}) as object).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
