import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { BytePath } from "../model/model.ts";
import { THREAD_LIMITS } from "../model/thread-limits.ts";
import type { HandedOver } from "../objects/object-store.ts";
import { COUNTERS, type Jobs, newCounters, type Outcomes } from "./read-jobs.ts";
import type { Difference, StatRow } from "./stat-table.ts";

export interface HelperStart {
  readonly port: MessagePort;
  readonly root: BytePath;
  readonly databaseFile: string;
  readonly packs: string;
  /** Any value but 0 asks the running work to stop. */
  readonly cancel: Int32Array;
}

/** A class loses its methods on the way to another thread. */
type SentRow = Omit<StatRow, "names"> & { readonly names: string };

export type HelperRequest =
  | { readonly kind: "rows"; readonly rows: readonly (readonly [slot: number, row: SentRow | undefined])[] }
  | { readonly kind: "check"; readonly shared: Int32Array }
  | { readonly kind: "read"; readonly shared: Int32Array; readonly jobs: Jobs }
  | { readonly kind: "hand-over"; readonly shared: Int32Array }
  | { readonly kind: "forget" }
  | { readonly kind: "close" };

/** Files that the second thread reads. Several of these must end, or be abandoned, in the order in which they began. */
export interface SharedJobs {
  /** The shared counters from which both threads take jobs. */
  readonly counters: Int32Array;
  /** Whether `end` has to wait. */
  readonly done: boolean;
  /** Call it when no job is left. Returns the second thread's results, and the objects that are already in packs. */
  end(): { readonly done: Outcomes; readonly handed: HandedOver };
  /** The results are not needed any more. */
  abandon(): void;
}

/**
 * The first thread's side of the second thread: it sends work, does its own share, and then waits for the rest. Waiting
 * blocks, so the first thread must not be one that serves users.
 */
export class ScanHelper {
  readonly #worker: Worker;
  readonly #port: MessagePort;

  constructor(start: Omit<HelperStart, "port">) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const workerData: HelperStart = { ...start, port: port2 };
    // No WebAssembly runs in a worker thread, and so no `fetch`: in Node 24 it can crash the process.
    this.#worker = new Worker(new URL("./helper-worker.ts", import.meta.url), {
      workerData,
      transferList: [port2],
      execArgv: [],
      resourceLimits: THREAD_LIMITS,
    });
    // A thread that could not start reports that when its share is needed; the event must not crash the process.
    this.#worker.on("error", () => {});
    this.#port.unref();
  }

  sendRows(rows: readonly (readonly [number, StatRow | undefined])[]): void {
    const plain = rows.map(
      ([slot, row]) => [slot, row && { path: row.path, names: row.names.text, stats: row.stats }] as const,
    );
    // In pieces: the process would keep the memory of one large message.
    for (let start = 0; start < plain.length; start += ROWS_AT_ONCE) {
      this.#send({ kind: "rows", rows: plain.slice(start, start + ROWS_AT_ONCE) });
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

  /** Makes the second thread read files; it keeps their content until `handOver` or `forget`. */
  read(jobs: Jobs): SharedJobs {
    const shared = newCounters();
    this.#send({ kind: "read", shared, jobs });
    return {
      counters: shared,
      get done() {
        return Atomics.load(shared, COUNTERS.helperDone) !== 0;
      },
      end: () => this.#result(shared) as ReturnType<SharedJobs["end"]>,
      abandon: () => this.#end(shared),
    };
  }

  /** The content of everything that was read and is not handed over yet, in packs. */
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

  /** Leaves no slot to take, so that the other thread ends too and its answer is not mistaken for a later one. */
  #end(shared: Int32Array): void {
    Atomics.store(shared, COUNTERS.next, 2 ** 30);
    this.#wait(shared);
  }

  #wait(shared: Int32Array): { result: unknown } | { error: unknown } {
    let before = -1;
    while (Atomics.wait(shared, COUNTERS.helperDone, 0, PATIENCE) === "timed-out") {
      const now = Atomics.load(shared, COUNTERS.next) + Atomics.load(shared, COUNTERS.files);
      if (now === before) throw new Error("The second thread of a scan does not answer");
      before = now;
    }
    return receiveMessageOnPort(this.#port)?.message;
  }
}

const PATIENCE = 30_000;
const ROWS_AT_ONCE = 500;
