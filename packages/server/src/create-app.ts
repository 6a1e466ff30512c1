/**
 * The one way into the server: guard, then route, then check, then handler. Every route of the table is
 * registered here and nowhere else; the guard or a 404 answers every other request.
 */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Route, routes } from "@retake/client/routes";
import { nameProblem, quoted } from "@retake/core";
import { type ChangeOptions, findThreadId, type Outcome, type Runtime } from "@retake/runtime";
import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import type { AccessLog } from "./access/access-log.ts";
import { Guard, type GuardOptions } from "./access/guard.ts";
import type { Logins } from "./access/logins.ts";
import { AnswerCache } from "./answer-cache.ts";
import { checkInput } from "./check-input.ts";
import type { HandlerCall } from "./handlers/handler.ts";
import { handlers } from "./handlers.ts";
import { errorResponse, makeSafe, sendCached, sendJson } from "./json-response.ts";
import { answerIn, errorOf } from "./outcome-status.ts";
import type { PageFiles } from "./page-files.ts";
import { loginPage, statusPage } from "./pages.ts";
import { parseBody, readBody } from "./read-body.ts";
import { RequestError } from "./request-error.ts";

export interface RouterOptions {
  readonly runtime: Runtime;
  /** The directory that is meant where none is named. */
  readonly root: string;
  readonly logins: Logins;
  /** Aborted when the server ends: event streams end with it. */
  readonly closing: AbortSignal;
  /** Called with an unexpected error. */
  readonly onFailure: (id: string, error: unknown) => void;
}

export interface AppOptions extends GuardOptions, RouterOptions {
  readonly log: AccessLog;
  /** The web UI; without it a browser is only told that the server runs. */
  readonly pages?: PageFiles | undefined;
}

type RouteHandler = (call: HandlerCall<Route>) => Response | Outcome<unknown> | Promise<Outcome<unknown>>;

export type App = (request: Request, env: HttpBindings) => Promise<Response>;

/** The guard stands before the router, not in it: a router has one handler to find, and calls it without a detour. */
export function createApp(options: AppOptions): App {
  const router = createRouter(options);
  router.get("/", () => options.pages?.answer("/") ?? statusPage(options.runtime));
  router.get("/login", (context) => loginPage(options, context.req.query("code"), context.req.header("sec-purpose")));
  const { pages } = options;
  if (pages) router.get("*", (context) => pages.answer(context.req.path) ?? errorResponse(notThere(context.req.path)));
  const guard = new Guard(options);
  const open = new Set(["/login", ...Object.values(routes as Record<string, Route>).flatMap(openPath)]);
  return async (request, env) => {
    const begun = performance.now();
    const { method } = request;
    const path = getPath(request);
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const verdict = guard.judge({ method, path, header, open: method === "GET" && open.has(path) });
    const response =
      verdict.kind === "allowed"
        ? await router.fetch(request, env)
        : denied(
            path === "/" || pages?.isScreen(path) === true,
            header,
            new RequestError(verdict.status, verdict.code, verdict.message),
          );
    const sent = env.outgoing.headersSent;
    if (!sent) makeSafe(response);
    const status = sent ? env.outgoing.statusCode : response.status;
    const by = verdict.kind === "allowed" ? verdict.by : "denied";
    options.log.write({ method, path, status, ms: performance.now() - begun, by });
    return response;
  };
}

/** All routes, for callers that are let in. Without bindings it is a plain function from a request to a response. */
export function createRouter(options: RouterOptions): Hono<{ Bindings: Partial<HttpBindings> }> {
  const router = new Hono<{ Bindings: Partial<HttpBindings> }>();
  const cache = new AnswerCache();
  for (const [name, route] of Object.entries(routes as Readonly<Record<string, Route>>)) {
    const handler = handlers[name as keyof typeof handlers] as unknown as RouteHandler;
    router.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ":$1"), async ({ req, env }) => {
      const { outgoing } = (env ?? {}) as { outgoing?: ServerResponse };
      const params = req.param() as Record<string, string>;
      const carriedOut = () => carryOut(options, name, route, handler, req.raw, params);
      const id = params["id"] === undefined ? undefined : threadIn(options, params);
      const thread = id === undefined || !route.cached ? undefined : await options.runtime.settled(id);
      if (id !== undefined && !route.cached) await options.runtime.settle(id);
      if (thread) {
        // Before the answer is made: where the thread changes meanwhile, the answer is not kept as one of now.
        const stamp = options.runtime.stamp(thread, route.cached === "current");
        const { body, etag } = cache.get(req.url, stamp) ?? cache.add(req.url, stamp, String(await carriedOut()));
        return sendCached(outgoing, body, etag, req.header("if-none-match"));
      }
      const done = await carriedOut();
      return typeof done === "string" ? sendJson(outgoing, route.status ?? 200, done) : done;
    });
  }
  router.notFound((context) => errorResponse(notThere(context.req.path)));
  router.onError((error) => {
    const known = errorOf(error);
    if (known.status !== 500) return errorResponse(known);
    const id = randomUUID();
    options.onFailure(id, error);
    return errorResponse(new RequestError(500, known.code, `${known.message} Its number is ${id}.`));
  });
  return router;
}

/** Checks the input of a route, runs its handler, and sends the outcome: JSON, or a stream. */
async function carryOut(
  { runtime, root, logins, closing }: RouterOptions,
  name: string,
  route: Route,
  handler: RouteHandler,
  request: Request,
  params: Record<string, string>,
): Promise<string | Response> {
  checkParams(params);
  const query = queryOf(request.url);
  const header = (each: string) => request.headers.get(each) ?? undefined;
  const text = await bodyText(route, request);
  const call = {
    runtime,
    root,
    logins,
    params,
    header,
    query: checkQuery(route, query),
    body: route.body ? checkInput("body", route.body, parseBody(text)) : undefined,
    change: changeOptions(header("if-match")),
    // Made when it is asked for: few routes watch whether their caller is still there.
    get signal() {
      return AbortSignal.any([request.signal, closing]);
    },
  } as unknown as HandlerCall<Route>;
  if (route.stream) return (await handler(call)) as unknown as Response;
  const done = async () => JSON.stringify(answerIn(await (handler(call) as Promise<Outcome<unknown>>)));
  const key = route.method === "GET" ? undefined : header("idempotency-key");
  if (key === undefined) return done();
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new RequestError(400, "invalid-input", "An Idempotency-Key is 1 to 255 visible characters.");
  const what = `${name} ${JSON.stringify(params)} ${query} ${header("if-match") ?? ""}`;
  return runtime.once.run(key, what, text, done);
}

function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1));
}

/** A body where none is taken is not looked at, so it must not be there. */
async function bodyText(route: Route, request: Request): Promise<string> {
  const sent = request.headers.has("transfer-encoding") || Number(request.headers.get("content-length") ?? 0) > 0;
  if (!sent) return "";
  if (!route.body) throw new RequestError(400, "invalid-input", "This route takes no body.");
  return readBody(request);
}

function checkQuery(route: Route, query: URLSearchParams): unknown {
  const names = [...query.keys()];
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new RequestError(400, "invalid-input", `The query has ${quoted(twice)} twice.`);
  if (route.query) return checkInput("query", route.query, Object.fromEntries(query));
  if (names.length > 0) throw new RequestError(400, "invalid-input", "This route takes no query.");
  return undefined;
}

/** Names and ids; only the model's id of a call may contain more characters, but no control characters. */
function checkParams(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    const fine = name === "call" ? value.length <= 256 && !/[\u0000-\u001f\u007f]/.test(value) : !nameProblem(value);
    if (!fine) throw new RequestError(404, "not-found", `There is no such ${name === "id" ? "thing" : name} here.`);
  }
}

/** The thread that a path names, checked like every name of a path; a missing one is refused later. */
function threadIn({ runtime, root }: RouterOptions, params: Readonly<Record<string, string>>): string {
  checkParams(params);
  const found = findThreadId({ store: runtime.store, root }, params["id"] ?? "");
  return typeof found === "string" ? found : "";
}

function changeOptions(version: string | undefined): ChangeOptions {
  if (version === undefined) return {};
  const number = /^"?(\d{1,15})"?$/.exec(version)?.[1];
  if (number === undefined) throw new RequestError(400, "invalid-input", "If-Match takes a version: a whole number.");
  return { expectedVersion: Number(number) };
}

function openPath(route: Route): string[] {
  return route.open ? [route.path] : [];
}

function notThere(path: string): RequestError {
  return new RequestError(
    404,
    "not-found",
    `There is nothing at ${path.slice(0, 200)}. GET /v1/openapi.json lists all there is.`,
  );
}

/** A person who is not signed in reads a page; a program reads an error. */
function denied(screen: boolean, header: (name: string) => string | undefined, error: RequestError): Response {
  const person = screen && error.status === 401 && (header("accept") ?? "").includes("text/html");
  return person ? statusPage(undefined) : errorResponse(error);
}
