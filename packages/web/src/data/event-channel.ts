/**
 * Every event of the server, for all of this tab. They come through a worker that all tabs share; where a browser has none,
 * through the tab that holds a lock, which tells the others.
 */
import type { FollowedEvents, RetakeEvent } from "@retake/client";
import { EventMemory } from "./event-memory.ts";
import { EventPump, type StreamMessage } from "./event-pump.ts";
import workerUrl from "./event-worker.ts?worker&url";
import { workerAddress } from "./worker-address.ts";

export type Connection = "connecting" | "live" | "lost" | "signed-out";

/** A tab that comes later asks the holder of the stream where it is. */
const HELLO = "hello";
/** Until a worker whose script could not be loaded is tried again. */
const AGAIN_MS = 1000;

export class EventChannel {
  readonly #memory = new EventMemory();
  #listeners = new Set<() => void>();
  #connection: Connection = "connecting";
  #check: () => void = () => {};
  #leave: () => void = () => {};

  constructor() {
    this.#open();
    const check = () => {
      if (document.visibilityState === "visible") this.#check();
    };
    addEventListener("online", check);
    addEventListener("pagehide", () => this.#leave());
    // A page that comes back from the browser's cache has left the worker.
    addEventListener("pageshow", (event) => event.persisted && location.reload());
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
    return this.#memory.onEvent(reader);
  }

  /** Stands for the client's `followEvents`: the same events, from the one stream. */
  follow(options?: FollowedEvents): AsyncGenerator<RetakeEvent, void> {
    return this.#memory.follow(options);
  }

  #receive(message: StreamMessage): void {
    if (message.kind === "event") {
      this.#memory.add(message.event);
      return;
    }
    const next = message.kind === "signed-out" ? "signed-out" : message.connected ? "live" : "lost";
    if (next === this.#connection) return;
    this.#connection = next;
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
    this.#leave = () => worker.port.postMessage("bye");
    // The server went away between the page and the script.
    worker.onerror = () => {
      this.#receive({ kind: "connection", connected: false });
      setTimeout(() => this.#open(), AGAIN_MS);
    };
  }

  #shareByLock(): void {
    const others = new BroadcastChannel("retake-events");
    const pump = new EventPump((message) => {
      others.postMessage(message);
      this.#receive(message);
    });
    others.onmessage = ({ data }: MessageEvent<StreamMessage | typeof HELLO>) => {
      if (data !== HELLO) this.#receive(data);
      else for (const message of pump.present()) others.postMessage(message);
    };
    others.postMessage(HELLO);
    void navigator.locks.request("retake-events", async () => {
      while (this.#connection !== "signed-out") {
        const stop = new AbortController();
        this.#check = () => stop.abort();
        await pump.run(stop.signal);
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
