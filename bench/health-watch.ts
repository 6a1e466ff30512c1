/**
 * Asks a server for `GET /v1/health` every 5 ms, from a process of its own, so that nothing this process does is taken for
 * the server's. One request at a time: an answer that takes longer stands for all the requests that would have been sent
 * meanwhile and have waited for the rest of it.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "./served-retake.ts";

const EVERY_MS = 5;

/** When a request was sent, in milliseconds since 1970, and how long its answer took. */
type Sample = readonly [sent: number, took: number];

export class HealthWatch {
  readonly #child: ChildProcess = fork(fileURLToPath(import.meta.url), { execArgv: [] });

  /** From now on it is this server that is asked. */
  follow({ url, token }: Client): void {
    this.#child.send({ url: url.href, token });
  }

  /** How long each request waited that was open at some time in one of these spans, since the last call. */
  async waits(spans: readonly (readonly [from: number, to: number])[]): Promise<number[]> {
    this.#child.send({});
    const [samples] = (await once(this.#child, "message")) as [Sample[]];
    const waits: number[] = [];
    for (const [sent, took] of samples) {
      if (!spans.some(([from, to]) => sent < to && sent + took > from)) continue;
      for (let wait = took; wait > 0; wait -= EVERY_MS) waits.push(wait);
    }
    return waits;
  }

  stop(): void {
    this.#child.kill();
  }
}

/** The same moment in every process of this machine. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

async function watch(): Promise<void> {
  let samples: Sample[] = [];
  let open: number | undefined;
  let client: Client | undefined;
  process.on("message", (told: { url?: string; token?: string }) => {
    if (told.url !== undefined) client = new Client(told.url, told.token ?? "");
    else {
      process.send?.(open === undefined ? samples : [...samples, [open, now() - open]]);
      samples = [];
    }
  });
  for (;;) {
    const sent = now();
    open = sent;
    // A server that was killed with the request open made it wait until then.
    await client?.ask("GET", "/v1/health").catch(() => {});
    open = undefined;
    const took = now() - sent;
    if (client) samples.push([sent, took]);
    await sleep(Math.max(EVERY_MS - took, 0));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await watch();
