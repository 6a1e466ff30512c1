import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { BuiltRetake } from "./built-retake.ts";

/** Requests that cost their sender as little as can be. */
export class Client {
  readonly url: URL;
  readonly token: string;
  readonly agent = new Agent({ keepAlive: true });
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, token: string, headers: Readonly<Record<string, string>> = {}) {
    this.url = new URL(url);
    this.token = token;
    this.#headers = headers;
  }

  /** The body of an answer, as text. */
  async ask(method: string, path: string, body?: object | string, limit?: AbortSignal): Promise<string> {
    const response = await this.open(method, path, body, this.agent, limit);
    let text = "";
    response.setEncoding("utf8");
    for await (const chunk of response) text += chunk;
    if ((response.statusCode ?? 500) >= 300)
      throw new Error(`${method} ${path} answered ${response.statusCode}: ${text}`);
    return text;
  }

  /** The answer as it comes, on a connection of its own where it does not end. */
  open(
    method: string,
    path: string,
    body?: object | string,
    agent: Agent | false = this.agent,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const headers: Record<string, string> = { ...this.#headers, authorization: `Bearer ${this.token}` };
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    if (text !== undefined) {
      headers["content-type"] = "application/json";
      headers["content-length"] = String(Buffer.byteLength(text));
    }
    const { hostname, port } = this.url;
    const limited = signal ? { signal } : {};
    return new Promise((resolve, reject) => {
      const asking = request({ hostname, port, method, path, headers, agent, ...limited }, resolve);
      asking.on("error", reject);
      asking.end(text);
    });
  }
}

/** A server in a process of its own. */
export class ServedRetake extends Client {
  readonly pid: number;
  readonly #ended: Promise<unknown>;

  private constructor(said: { url: string; pid: number }, token: string, ended: Promise<unknown>) {
    super(said.url, token);
    this.pid = said.pid;
    this.#ended = ended;
  }

  static async start(built: BuiltRetake, environment: NodeJS.ProcessEnv = {}): Promise<ServedRetake> {
    const child = built.spawn(["serve", "--json"], environment);
    const ended = once(child, "exit");
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const token = readFileSync(join(built.home, "state", "token"), "utf8").trim();
    return new ServedRetake(JSON.parse(line) as { url: string; pid: number }, token, ended);
  }

  /** The resident memory of the process, in megabytes. */
  memory(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  /** With SIGKILL, also a server that is too busy to end. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.agent.destroy();
    process.kill(this.pid, signal);
    await this.#ended;
  }
}
