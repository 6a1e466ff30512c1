import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { BytePath } from "../model/model.ts";
import { threadLimits } from "../model/thread-limits.ts";

export interface WatchStart {
  readonly port: MessagePort;
  readonly root: BytePath;
  /** A directory outside the workspace for the files that fences are made of. */
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

const longestFence = 5_000;

/** The watching thread, as the scanning one sees it. Calls block; see `ScanHelper`. */
export class Watcher {
  readonly #port: MessagePort;
  #failed = false;
  #begun: Int32Array | undefined;

  constructor(root: BytePath, fences: string) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const workerData: WatchStart = { port: port2, root, fences };
    const worker = new Worker(new URL("./watch-worker.ts", import.meta.url), {
      workerData,
      transferList: [port2],
      execArgv: [],
      resourceLimits: threadLimits,
    });
    worker.on("error", () => {
      this.#failed = true;
    });
    port1.unref();
  }

  /** Has directories watched as soon as the thread runs; `began` tells when everything that happens in them is seen. */
  begin(directories: readonly BytePath[]): void {
    this.#begun = flag();
    this.#send({ kind: "watch", directories, shared: this.#begun });
  }

  get began(): boolean {
    return this.#begun !== undefined && Atomics.load(this.#begun, 0) === 1;
  }

  /** Returns once everything that happens in these directories from now on will be seen. */
  watch(directories: readonly BytePath[]): void {
    const shared = flag();
    this.#send({ kind: "watch", directories, shared });
    if (Atomics.wait(shared, 0, 0, longestFence + directories.length) === "timed-out") this.#failed = true;
  }

  unwatch(directories: readonly BytePath[]): void {
    this.#send({ kind: "unwatch", directories });
  }

  /** All that was seen since the last time it was asked. Undefined where something may have been missed. */
  hints(): ReadonlyMap<BytePath, ReadonlySet<string>> | undefined {
    if (this.#failed) return undefined;
    const shared = flag();
    this.#send({ kind: "fence", shared });
    if (Atomics.wait(shared, 0, 0, longestFence) === "timed-out") {
      // Its late answer must not be taken for the answer to another question.
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
