import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Client, createClient } from "@retake/client";
import { CliSession, type Ran } from "./cli-session.ts";

/** A session with a server as a process of its own. */
export class ServedSession extends CliSession {
  readonly #children: ChildProcess[] = [];
  readonly #env: Record<string, string>;
  pid = 0;

  /** `env` adds to the environment of the server and of all processes that are started here. */
  constructor(env: Record<string, string> = {}) {
    super();
    this.#env = env;
  }

  async serve(): Promise<void> {
    const child = this.begin("serve", "--json");
    this.pid = child.pid ?? 0;
    await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), "line");
  }

  /** A command that goes on. */
  begin(...args: string[]): ChildProcess {
    const child = this.spawnWith({ env: this.#env, stdio: ["ignore", "pipe", "pipe"] }, ...args);
    this.#children.push(child);
    return child;
  }

  /** The same as `run`, and the test goes on meanwhile. */
  async ran(...args: string[]): Promise<Ran> {
    return ended(this.begin(...args));
  }

  client(): Client {
    const state = (name: string) => readFileSync(join(this.home, "state", name), "utf8");
    return createClient({ url: JSON.parse(state("server.json")).url, token: state("token").trim() });
  }

  /** The thread that the workspace is at. */
  async current(): Promise<string> {
    const { threads } = await this.client().listThreads();
    return threads[0]?.id ?? "";
  }

  async end(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    this.remove();
  }
}

/** The whole output of a process, once it has ended. */
export async function ended(child: ChildProcess): Promise<Ran> {
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
    });
  const [status] = (await once(child, "close")) as [number | null];
  return { status, ...said };
}
