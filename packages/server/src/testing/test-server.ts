import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient, type RetakeEvent } from "@retake/client";
import { type Route, type RouteName, routes } from "@retake/client/routes";
import { directories } from "@retake/runtime";
import { type RunningServer, startServer } from "../start-server.ts";

/** A real server on a store and a workspace of their own, listening on loopback. */
export class TestServer {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-server-")));
  readonly root = this.makeDirectory("work");
  readonly home = join(this.folder, "home");
  readonly state = join(this.home, "state");
  /** The routes that were answered with a success, of the form that their description says. */
  readonly answered = new Set<RouteName>();
  #running: RunningServer | undefined;
  #port = 0;

  static async start(script?: object): Promise<TestServer> {
    const server = new TestServer();
    await server.restart(script);
    return server;
  }

  /** Ends it; the store and the workspace stay. */
  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  /** Starts it anew, at the same address. */
  async restart(script?: object): Promise<void> {
    await this.stop();
    const file = join(this.folder, "script.json");
    if (script) writeFileSync(file, JSON.stringify(script));
    const started = await startServer({
      directories: directories({ RETAKE_HOME: this.home }),
      root: this.root,
      version: "0.0.0",
      environment: { PATH: process.env["PATH"], ...(script ? { RETAKE_SCRIPT: file } : {}) },
      now: Date.now,
      port: this.#port,
    });
    if (started.kind !== "started") throw new Error(JSON.stringify(started));
    this.#running = started.server;
    this.#port = Number(new URL(started.server.at.url).port);
  }

  get running(): RunningServer {
    if (!this.#running) throw new Error("the server is not running");
    return this.#running;
  }

  get url(): string {
    return this.running.at.url;
  }

  get token(): string {
    return readFileSync(join(this.state, "token"), "utf8").trim();
  }

  /** A client whose every answer is checked against the description of its route. */
  client(): Client {
    return createClient({ url: this.url, token: this.token, fetch: (input, init) => this.#checked(input, init) });
  }

  /** Sends a request that is not made by the client. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${this.token}`);
    if (init.body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
    return fetch(this.url + path, { ...init, headers });
  }

  makeDirectory(name: string): string {
    const directory = join(this.folder, name);
    mkdirSync(directory, { recursive: true });
    return directory;
  }

  read(path: string): string | undefined {
    try {
      return readFileSync(join(this.root, path), "utf8");
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A thread with a turn for each prompt, all of them finished. */
  async thread(...prompts: string[]): Promise<string> {
    const client = this.client();
    const { thread } = await client.createThread({});
    for (const prompt of prompts) await this.turn(thread.id, prompt);
    return thread.id;
  }

  /** Runs a turn to its end, and answers its id. */
  async turn(thread: string, prompt: string): Promise<string> {
    const client = this.client();
    const { seq } = await client.getCheckpoint(thread);
    const { turn_id } = await client.startTurn(thread, { prompt, approve: "all" as const });
    await this.until(thread, seq, (event) => isEnd(event, turn_id));
    return turn_id;
  }

  /** Reads events after a cursor until one is found that is looked for. */
  async until(thread: string, since_seq: string, found: (event: RetakeEvent) => boolean): Promise<RetakeEvent[]> {
    const seen: RetakeEvent[] = [];
    for await (const event of this.client().followEvents({ thread, since_seq })) {
      seen.push(event);
      if (found(event)) return seen;
    }
    throw new Error("the events ended");
  }

  async #checked(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const response = await fetch(input, init);
    if (!response.ok || response.headers.get("content-type") !== "application/json") return response;
    const text = await response.text();
    const [name, route] = routeOf(init?.method ?? "GET", new URL(String(input)).pathname);
    route.answer.parse(JSON.parse(text));
    if (response.status !== (route.status ?? 200)) throw new Error(`${name} answered ${response.status}`);
    this.answered.add(name);
    return new Response(text, { status: response.status, headers: response.headers });
  }
}

/** Whether an event says that a turn has ended. */
export function isEnd(event: RetakeEvent, turn: string): boolean {
  if (event.type === "turn-not-started") return event.turn_id === turn;
  return (
    event.type === "operation-committed" && event.operation.kind === "turn-finished" && event.operation.turn_id === turn
  );
}

export function everyRoute(): [RouteName, Route][] {
  return Object.entries(routes) as [RouteName, Route][];
}

/** Paths without names come first, so that `/v1/threads/summary` is not taken for a thread. */
function routeOf(method: string, path: string): [RouteName, Route] {
  const fits = ([, route]: [RouteName, Route]) =>
    route.method === method && new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
  const found = everyRoute()
    .filter(fits)
    .sort(([, a], [, b]) => a.path.split("{").length - b.path.split("{").length)[0];
  if (!found) throw new Error(`no route is ${method} ${path}`);
  return found;
}
