/**
 * Every event of the server, for all of this tab. They come through a worker that all tabs share; where a browser has none,
 * through the tab that holds a lock, which tells the others.
 *
 * A reader names the last event that it knows (`since_seq`). The channel keeps the last events, so that it can go on right
 * after it. Where that one is not kept any more the reader gets a `gap`, and reads its state again.
 */
import type { FollowedEvents, RetakeEvent } from "@retake/client";
import workerUrl from "./event-worker.ts?worker&url";
import { pumpEvents, type StreamMessage } from "./pump-events.ts";
import { workerAddress } from "./worker-address.ts";

export type Connection = "connecting" | "live" | "lost" | "signed-out";

const MOST_KEPT = 2000;

export class EventChannel {
  #kept: RetakeEvent[] = [];
  /** Whether the oldest events were dropped. */
  #cut = false;
  #readers = new Set<(event: RetakeEvent) => void>();
  #listeners = new Set<() => void>();
  #connection: Connection = "connecting";
  #check: () => void = () => {};

  constructor() {
    this.#open();
    const check = () => {
      if (document.visibilityState === "visible") this.#check();
    };
    addEventListener("online", check);
    watchSleep(() => this.#check());
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Calls on every change of the connection; returns an unsubscribe function. */
  onConnection(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls on every event from now on; returns an unsubscribe function. */
  onEvent(reader: (event: RetakeEvent) => void): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** Stands for the client's `followEvents`: the same events, from the one stream. */
  async *follow({ thread, since_seq, signal }: FollowedEvents = {}): AsyncGenerator<RetakeEvent, void> {
    const queue: RetakeEvent[] = [];
    let wake = () => {};
    const take = (event: RetakeEvent) => {
      const foreign = thread !== undefined && "thread_id" in event && event.thread_id !== thread;
      if (foreign) return;
      queue.push(event);
      wake();
    };
    this.#since(since_seq).forEach(take);
    const end = this.onEvent(take);
    const onAbort = () => wake();
    signal?.addEventListener("abort", onAbort);
    try {
      while (!signal?.aborted) {
        const event = queue.shift();
        if (event) yield event;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (queue.length > 0 || signal?.aborted) resolve();
          });
      }
    } finally {
      end();
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** The events after one; all that are kept where it is older than they are, since a view ignores what it has. */
  #since(seq: string | undefined): RetakeEvent[] {
    if (seq === undefined) return [];
    const at = this.#kept.findIndex((event) => event.seq === seq);
    if (at >= 0) return this.#kept.slice(at + 1);
    if (!this.#cut) return this.#kept;
    return [{ type: "gap", seq, since_seq: seq, lost: "operations" }, ...this.#kept];
  }

  #receive(message: StreamMessage): void {
    if (message.kind === "event") {
      this.#kept.push(message.event);
      if (this.#kept.length > MOST_KEPT) {
        this.#kept = this.#kept.slice(-MOST_KEPT / 2);
        this.#cut = true;
      }
      for (const reader of this.#readers) reader(message.event);
      return;
    }
    const connected = message.kind === "joined" || (message.kind === "connection" && message.connected);
    const next = message.kind === "signed-out" ? "signed-out" : connected ? "live" : "lost";
    if (next === this.#connection) return;
    const missed = this.#connection !== "connecting" && next === "live";
    this.#connection = next;
    // A stream that had told no event yet begins now: what happened meanwhile must be read.
    if (missed) for (const reader of this.#readers) reader({ type: "gap", seq: "", since_seq: "", lost: "operations" });
    for (const listener of this.#listeners) listener();
  }

  #open(): void {
    if (typeof SharedWorker === "undefined") {
      this.#shareByLock();
      return;
    }
    const worker = new SharedWorker(workerAddress(workerUrl), { type: "module", name: "retake-events" });
    worker.port.onmessage = ({ data }: MessageEvent<StreamMessage>) => this.#receive(data);
    worker.port.start();
    this.#check = () => worker.port.postMessage("check");
    addEventListener("pagehide", () => worker.port.postMessage("bye"));
    // A page that comes back from the browser's cache has left the worker.
    addEventListener("pageshow", (event) => event.persisted && location.reload());
  }

  #shareByLock(): void {
    const others = new BroadcastChannel("retake-events");
    others.onmessage = ({ data }: MessageEvent<StreamMessage>) => this.#receive(data);
    const send = (message: StreamMessage) => {
      others.postMessage(message);
      this.#receive(message);
    };
    void navigator.locks.request("retake-events", async () => {
      while (this.#connection !== "signed-out") {
        const stop = new AbortController();
        this.#check = () => stop.abort();
        await pumpEvents(stop.signal, send);
      }
    });
  }
}

/** Calls after the machine slept: a timer that comes much too late is the only sign of it. */
function watchSleep(onWake: () => void): void {
  const every = 10_000;
  let last = Date.now();
  setInterval(() => {
    const now = Date.now();
    if (now - last > 3 * every) onWake();
    last = now;
  }, every);
}
