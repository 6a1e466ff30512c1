import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Client, createClient } from "@retake/client";
import { MAIN } from "../../testing/main.ts";
import { RetakePlace } from "./retake-place.ts";

/** Only the cursor of a checkpoint is needed: the whole of one with 100,000 entries takes seconds. */
const SMALLEST = { entries: "last:1" };

/** A place with `retake serve` in a process of its own. */
export class ServedPlace {
  readonly place = new RetakePlace();
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #closed: Promise<unknown> = Promise.resolve();
  #url = "";
  /** The standard error of the server that was started last. */
  errors = "";

  constructor(environment: NodeJS.ProcessEnv = {}) {
    this.#environment = environment;
  }

  async start(): Promise<void> {
    const env = { ...this.place.environment, NODE_DISABLE_COMPILE_CACHE: "1", ...this.#environment };
    // A server that a failure ends would leave its memory in the workspace, as a file like any other.
    const start = ["-c", 'ulimit -c 0; exec "$0" "$@"', process.execPath, MAIN, "serve", "--json"];
    const child = spawn("sh", start, { cwd: this.place.root, env });
    this.#child = child;
    this.#closed = once(child, "close");
    this.errors = "";
    child.stderr.on("data", (chunk) => {
      this.errors += chunk;
    });
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    this.#url = (JSON.parse(line) as { url: string }).url;
  }

  get pid(): number {
    return this.#child?.pid as number;
  }

  get alive(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  /** After a connection was lost: whether that was because the server has ended. */
  async died(): Promise<boolean> {
    const answers =
      this.alive &&
      (await fetch(`${this.url}/v1/health`).then(
        () => true,
        () => false,
      ));
    // The last messages have arrived when the streams are closed.
    if (!answers) await this.#closed;
    return !answers;
  }

  /** The signal or status of a server that has ended. */
  get end(): string {
    return this.#child?.signalCode ?? `status ${this.#child?.exitCode}`;
  }

  get url(): string {
    return this.#url;
  }

  get token(): string {
    return readFileSync(join(this.place.home, "state", "token"), "utf8").trim();
  }

  client(): Client {
    return createClient({ url: this.url, token: this.token });
  }

  /** Ends the server and removes everything. */
  async remove(): Promise<void> {
    await this.stop("SIGTERM");
    this.place.remove();
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || !this.alive) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Starts a turn and waits until it has ended. */
  async turn(thread: string, prompt: string): Promise<string> {
    const client = this.client();
    const { seq } = await client.getCheckpoint(thread, SMALLEST);
    const { turn_id } = await client.startTurn(thread, { prompt, approve: "all" as const });
    await this.ended(thread, turn_id, seq);
    return turn_id;
  }

  /** Waits until no turn of a thread runs or waits. */
  async turnsEnded(thread: string): Promise<void> {
    const client = this.client();
    for (;;) {
      const { seq } = await client.getCheckpoint(thread, SMALLEST);
      const { turns } = await client.listTurns(thread);
      const left = turns.find(({ status }) => status === "queued" || status === "running");
      if (!left) return;
      await this.ended(thread, left.id, seq);
    }
  }

  /** Waits until a turn has ended that was begun after a cursor of the feed; a server that dies ends it too. */
  async ended(thread: string, turn: string, since_seq: string): Promise<void> {
    const stop = new AbortController();
    let notStarted = false;
    const onConnection = (connected: boolean) => {
      if (!connected && !this.alive) stop.abort();
      // Listeners are told of a turn that was not started; a later one has to ask.
      if (connected)
        void this.#wasNotStarted(thread, turn).then((was) => {
          notStarted = was;
          if (was) stop.abort();
        });
    };
    for await (const event of this.client().followEvents({ thread, since_seq, signal: stop.signal, onConnection })) {
      if (event.type === "turn-not-started" && event.turn_id === turn) return;
      if (event.type !== "operation-committed") continue;
      if (event.operation.kind === "turn-finished" && event.operation.turn_id === turn) return;
    }
    if (!notStarted) throw new Error(`The server ended before the turn did. ${this.errors}`);
  }

  async #wasNotStarted(thread: string, turn: string): Promise<boolean> {
    const ask = () => this.client().listTurns(thread);
    // Asks once more, because the injected failure may meet the question itself.
    const answer = await ask()
      .catch(ask)
      .catch(() => undefined);
    return answer?.turns.some(({ id, status }) => id === turn && status === "not-started") ?? false;
  }
}
