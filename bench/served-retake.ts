import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { BuiltRetake } from "./built-retake.ts";

/** A server in a process of its own, and requests that cost their sender as little as can be. */
export class ServedRetake {
  readonly #url: URL;
  readonly #token: string;
  readonly #pid: number;
  readonly #ended: Promise<unknown>;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(said: { url: string; pid: number }, token: string, ended: Promise<unknown>) {
    this.#url = new URL(said.url);
    this.#pid = said.pid;
    this.#token = token;
    this.#ended = ended;
  }

  static async start(built: BuiltRetake, environment: NodeJS.ProcessEnv = {}): Promise<ServedRetake> {
    const child = built.spawn(["serve", "--json"], environment);
    const ended = once(child, "exit");
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const token = readFileSync(join(built.home, "state", "token"), "utf8").trim();
    return new ServedRetake(JSON.parse(line) as { url: string; pid: number }, token, ended);
  }

  /** The body of an answer, as text. */
  async ask(method: string, path: string, body?: object): Promise<string> {
    const response = await this.open(method, path, body);
    let text = "";
    response.setEncoding("utf8");
    for await (const chunk of response) text += chunk;
    if ((response.statusCode ?? 500) >= 300)
      throw new Error(`${method} ${path} answered ${response.statusCode}: ${text}`);
    return text;
  }

  /** The answer as it comes, on a connection of its own where it does not end. */
  open(method: string, path: string, body?: object, agent: Agent | false = this.#agent): Promise<IncomingMessage> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` };
    const text = body === undefined ? undefined : JSON.stringify(body);
    if (text !== undefined) {
      headers["content-type"] = "application/json";
      headers["content-length"] = String(Buffer.byteLength(text));
    }
    const { hostname, port } = this.#url;
    return new Promise((resolve, reject) => {
      const asking = request({ hostname, port, method, path, headers, agent }, resolve);
      asking.on("error", reject);
      asking.end(text);
    });
  }

  /** What the process holds in memory, in megabytes. */
  memory(): number {
    const status = readFileSync(`/proc/${this.#pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    process.kill(this.#pid, "SIGTERM");
    await this.#ended;
  }
}
