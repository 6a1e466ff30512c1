import {
  type Client,
  createClient,
  followSession,
  type RetakeEvent,
  type SessionFollower,
  type SessionView,
} from "@retake/client";
import type { WindowRequest } from "@retake/core";
import type { StateOracle } from "./state-oracle.ts";

/** A screen that shows a window of a thread, as `followSession` keeps it. Every view is compared with a fresh read of its window. */
export class WatchedView {
  readonly thread: string;
  readonly #oracle: StateOracle;
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #session: SessionFollower;
  readonly #ended: Promise<void>;
  #told: () => void = () => {};
  /** How many windows it was turned to that are not read yet. A read may fail on the bad line, and is tried again. */
  #shows = 0;
  /** The versions whose events came, in their order. */
  readonly #versions: number[] = [];
  #committed = "";
  #last: RetakeEvent | undefined;
  #view: SessionView | undefined;
  #problem: unknown;
  views = 0;
  reads = 0;
  connections = 0;

  constructor(
    thread: string,
    at: { readonly url: string; readonly token: string },
    oracle: StateOracle,
    window: WindowRequest,
  ) {
    this.thread = thread;
    this.#oracle = oracle;
    this.#client = this.#watched(createClient(at));
    const onConnection = (connected: boolean) => {
      if (connected) this.connections += 1;
    };
    this.#session = followSession(this.#client, thread, {
      signal: this.#stop.signal,
      onConnection,
      window,
      onEvent: (event) => {
        this.#last = event;
      },
    });
    this.#ended = this.#follow().catch((error) => this.#fail(error));
  }

  /** Waits until the view shows a version, which the walk knows to be there. */
  async reaches(version: number): Promise<SessionView> {
    for (;;) {
      if (this.#problem !== undefined) throw this.#problem;
      if (this.#view && this.#view.state.version >= version) return this.#view;
      await new Promise<void>((resolve) => {
        this.#told = resolve;
      });
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
    if (this.#problem !== undefined) throw this.#problem;
  }

  #fail(problem: unknown): void {
    this.#problem ??= problem;
    this.#told();
  }

  async #follow(): Promise<void> {
    for await (const view of this.#session) {
      this.#check(view);
      this.#view = view;
      this.views += 1;
      this.#told();
    }
  }

  /** The present view; undefined before the first. */
  get view(): SessionView | undefined {
    return this.#view;
  }

  /** Turns to another part of the conversation. */
  show(window: WindowRequest): void {
    this.#shows += 1;
    void this.#session.show(window).then(() => {
      this.#shows -= 1;
    });
  }

  #check(view: SessionView): void {
    const { state, seq } = view;
    const before = this.#view;
    if (before && before.state.version > state.version)
      throw new Error(`the view went back from ${before.state.version} (${before.seq}) to ${state.version} (${seq})`);
    const { shown, stored } = this.#oracle.compare(this.thread, view);
    if (shown !== stored) throw new Error(`version ${state.version} is shown as\n${shown}\nand stored as\n${stored}`);
  }

  /**
   * The real client, with checks of its traffic: no event is missed or sent twice, and nothing is read again without
   * need.
   */
  #watched(client: Client): Client {
    const { followEvents, getCheckpoint } = client;
    const watch = (event: RetakeEvent) => this.#watch(event);
    return {
      ...client,
      getCheckpoint: (...args) => {
        if (this.#view && this.#last && this.#shows === 0 && !needsReading(this.#last))
          this.#fail(new Error(`read again after ${JSON.stringify(this.#last)}`));
        this.reads += 1;
        return getCheckpoint(...args);
      },
      async *followEvents(options) {
        for await (const event of followEvents(options)) {
          watch(event);
          yield event;
        }
      },
    };
  }

  #watch(event: RetakeEvent): void {
    if (event.type === "gap" && event.lost !== "live")
      throw new Error(`nothing was lost, but a gap was told: ${JSON.stringify(event)}`);
    if (event.type !== "operation-committed" && event.type !== "operation-omitted") return;
    const { version } = event.operation;
    const before = this.#versions.at(-1);
    if (before !== undefined && version !== before + 1)
      throw new Error(
        `the event of version ${before} is followed by ${JSON.stringify(event)}, behind ${this.#committed}`,
      );
    this.#versions.push(version);
    this.#committed = JSON.stringify(event);
  }
}

/** Events that may make the view stale: past states of the server, omitted operations, another active take, entries that come and go. */
function needsReading(event: RetakeEvent): boolean {
  if (event.type === "operation-omitted") return true;
  if (event.type !== "operation-committed") return false;
  const { changes, spaces = [] } = event.operation.diff;
  return (
    spaces.length > 0 ||
    changes.some(({ id, kind }) => /^active:/.test(String(id)) || (kind !== "update" && String(id).includes("/entry:")))
  );
}
