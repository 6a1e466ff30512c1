import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { BytePath } from "../model/model.ts";
import { threadLimits } from "../model/thread-limits.ts";
import type { HandedOver } from "../objects/object-store.ts";
import { counters, type Jobs, newCounters, type Outcomes } from "./read-jobs.ts";
import type { Difference, StatRow } from "./stat-table.ts";

export interface HelperStart {
  readonly port: MessagePort;
  readonly root: BytePath;
  readonly databaseFile: string;
  readonly packs: string;
  /** Not 0: whatever runs is to stop. */
  readonly cancel: Int32Array;
}

export type HelperRequest =
  | { readonly kind: "rows"; readonly rows: readonly (readonly [slot: number, row: StatRow | undefined])[] }
  | { readonly kind: "check"; readonly shared: Int32Array }
  | { readonly kind: "read"; readonly shared: Int32Array; readonly jobs: Jobs }
  | { readonly kind: "close" };

/**
 * The second thread, as the first sees it: it is given work, the first does its own share, and then
 * waits for the rest. Waiting blocks, so the first thread must not be the one that serves users.
 */
export class ScanHelper {
  readonly #worker: Worker;
  readonly #port: MessagePort;

  constructor(start: Omit<HelperStart, "port">) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const workerData: HelperStart = { ...start, port: port2 };
    this.#worker = new Worker(new URL("./helper-worker.ts", import.meta.url), {
      workerData,
      transferList: [port2],
      execArgv: [],
      resourceLimits: threadLimits,
    });
    // A thread that could not start says so when it is asked for its share; it must not end the process.
    this.#worker.on("error", () => {});
    this.#port.unref();
  }

  sendRows(rows: readonly (readonly [number, StatRow | undefined])[]): void {
    const plain = rows.map(
      ([slot, row]) => [slot, row && { path: row.path, names: row.names, stats: row.stats }] as const,
    );
    // In pieces: the memory of one large message would stay with the process.
    for (let start = 0; start < plain.length; start += rowsAtOnce) {
      this.#send({ kind: "rows", rows: plain.slice(start, start + rowsAtOnce) });
    }
  }

  /** Both threads check slots until none is left. */
  check(own: (shared: Int32Array) => Difference[]): Difference[] {
    const shared = newCounters();
    this.#send({ kind: "check", shared });
    const [mine, theirs] = this.#together(shared, own);
    return [...mine, ...(theirs as Difference[])];
  }

  /** Both threads read files until none is left. */
  read(jobs: Jobs, own: (shared: Int32Array) => Outcomes): { outcomes: readonly Outcomes[]; handed: HandedOver } {
    const shared = newCounters();
    this.#send({ kind: "read", shared, jobs });
    const [mine, theirs] = this.#together(shared, own);
    const { done, handed } = theirs as { done: Outcomes; handed: HandedOver };
    return { outcomes: [mine, done], handed };
  }

  close(): void {
    this.#send({ kind: "close" });
  }

  #send(request: HelperRequest): void {
    this.#port.postMessage(request);
  }

  #together<T>(shared: Int32Array, own: (shared: Int32Array) => T): [T, unknown] {
    let mine: T;
    try {
      mine = own(shared);
    } catch (error) {
      // Nothing is left to take, so that the other thread ends too and its answer is not found later.
      Atomics.store(shared, counters.next, 2 ** 30);
      this.#wait(shared);
      throw error;
    }
    const reply = this.#wait(shared);
    if ("error" in reply) throw reply.error;
    return [mine, reply.result];
  }

  #wait(shared: Int32Array): { result: unknown } | { error: unknown } {
    let before = -1;
    while (Atomics.wait(shared, counters.helperDone, 0, patience) === "timed-out") {
      const now = Atomics.load(shared, counters.next) + Atomics.load(shared, counters.files);
      if (now === before) throw new Error("The second thread of a scan does not answer");
      before = now;
    }
    return receiveMessageOnPort(this.#port)?.message;
  }
}

const patience = 30_000;
const rowsAtOnce = 500;
