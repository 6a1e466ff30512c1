import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { BytePath } from "../model/model.ts";
import { THREAD_LIMITS } from "../model/thread-limits.ts";

export interface WatchStart {
  readonly port: MessagePort;
  readonly root: BytePath;
  /** A directory outside the workspace for the files used as fences. */
  readonly fences: string;
}

export type WatchRequest =
  | { readonly kind: "watch"; readonly directories: readonly BytePath[]; readonly shared: Int32Array }
  | { readonly kind: "unwatch"; readonly directories: readonly BytePath[] }
  | { readonly kind: "fence"; readonly shared: Int32Array }
  | { readonly kind: "close" };

export type WatchReply =
  | { readonly kind: "hints"; readonly hints: ReadonlyMap<BytePath, ReadonlySet<string>> }
  | { readonly kind: "incomplete" };

const LONGEST_FENCE = 5_000;

/** The scanning thread's side of the watching thread. Calls block; see `ScanHelper`. */
export class Watcher {
  readonly #port: MessagePort;
  #failed = false;
  #begun: Int32Array | undefined;

  constructor(root: BytePath, fences: string) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const workerData: WatchStart = { port: port2, root, fences };
    // No WebAssembly runs in a worker thread, and so no `fetch`: in Node 24 it can crash the process.
    const worker = new Worker(new URL("./watch-worker.ts", import.meta.url), {
      workerData,
      transferList: [port2],
      execArgv: [],
      resourceLimits: THREAD_LIMITS,
    });
    worker.on("error", () => {
      this.#failed = true;
    });
    port1.unref();
  }

  /** Starts watching directories as soon as the thread runs; `began` tells when all later changes in them are seen. */
  begin(directories: readonly BytePath[]): void {
    this.#begun = flag();
    this.#send({ kind: "watch", directories, shared: this.#begun });
  }

  get began(): boolean {
    return this.#begun !== undefined && Atomics.load(this.#begun, 0) === 1;
  }

  /** Returns once all later changes in these directories will be seen. */
  watch(directories: readonly BytePath[]): void {
    const shared = flag();
    this.#send({ kind: "watch", directories, shared });
    if (Atomics.wait(shared, 0, 0, LONGEST_FENCE + directories.length) === "timed-out") this.#failed = true;
  }

  unwatch(directories: readonly BytePath[]): void {
    this.#send({ kind: "unwatch", directories });
  }

  /** Everything seen since the last call. Undefined when something may have been missed. */
  hints(): ReadonlyMap<BytePath, ReadonlySet<string>> | undefined {
    if (this.#failed) return undefined;
    const shared = flag();
    this.#send({ kind: "fence", shared });
    if (Atomics.wait(shared, 0, 0, LONGEST_FENCE) === "timed-out") {
      // Its late answer must not be mistaken for the answer to another question.
      this.#failed = true;
      return undefined;
    }
    const reply = receiveMessageOnPort(this.#port)?.message as WatchReply | undefined;
    return reply?.kind === "hints" ? reply.hints : undefined;
  }

  close(): void {
    this.#send({ kind: "close" });
  }

  #send(request: WatchRequest): void {
    this.#port.postMessage(request);
  }
}

function flag(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}
