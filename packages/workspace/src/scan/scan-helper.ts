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
  | { readonly kind: "hand-over"; readonly shared: Int32Array }
  | { readonly kind: "forget" }
  | { readonly kind: "close" };

/** Files that the second thread reads. Several are ended, or abandoned, in the order in which they began. */
export interface SharedJobs {
  /** Whoever takes jobs takes them from here. */
  readonly counters: Int32Array;
  /** Whether `end` has to wait. */
  readonly done: boolean;
  /** Once no job is left: what the second thread has read, and what of it is in packs by now. */
  end(): { readonly done: Outcomes; readonly handed: HandedOver };
  /** Nobody needs them any more. */
  abandon(): void;
}

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
    try {
      const mine = own(shared);
      return [...mine, ...(this.#result(shared) as Difference[])];
    } catch (error) {
      this.#end(shared);
      throw error;
    }
  }

  /** The second thread begins to read files, and keeps their content until `handOver` or `forget`. */
  read(jobs: Jobs): SharedJobs {
    const shared = newCounters();
    this.#send({ kind: "read", shared, jobs });
    return {
      counters: shared,
      get done() {
        return Atomics.load(shared, counters.helperDone) !== 0;
      },
      end: () => this.#result(shared) as ReturnType<SharedJobs["end"]>,
      abandon: () => this.#end(shared),
    };
  }

  /** The content of all that was read and is not handed over yet, in packs. */
  handOver(): HandedOver {
    const shared = newCounters();
    this.#send({ kind: "hand-over", shared });
    return this.#result(shared) as HandedOver;
  }

  forget(): void {
    this.#send({ kind: "forget" });
  }

  close(): void {
    this.#send({ kind: "close" });
  }

  #send(request: HelperRequest): void {
    this.#port.postMessage(request);
  }

  #result(shared: Int32Array): unknown {
    const reply = this.#wait(shared);
    if ("error" in reply) throw reply.error;
    return reply.result;
  }

  /** Nothing is left to take, so that the other thread ends too and its answer is not found later. */
  #end(shared: Int32Array): void {
    Atomics.store(shared, counters.next, 2 ** 30);
    this.#wait(shared);
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
