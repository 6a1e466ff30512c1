import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { CaptureError } from "../model/capture-error.ts";
import { THREAD_LIMITS } from "../model/thread-limits.ts";
import type { CaptureSettings, CaptureTask, OnProgress, TaskOptions, TaskRunner } from "./capturer.ts";
import { type PackedError, unpackError } from "./thread-error.ts";

export interface WorkerStart {
  readonly port: MessagePort;
  readonly settings: CaptureSettings;
  readonly cancel: Int32Array;
}

export type WorkerTask = CaptureTask | { readonly kind: "close" };
export type WorkerRequest = { readonly id: number } & WorkerTask;

export type WorkerReply =
  | { readonly kind: "progress"; readonly id: number; readonly files: number; readonly bytes: number }
  | { readonly kind: "done"; readonly id: number; readonly result: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly error: PackedError };

/** The caller's side of the capturing thread: a queue of tasks, one at a time. */
export class CaptureThread implements TaskRunner {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #cancel = new Int32Array(new SharedArrayBuffer(4));
  readonly #waiting = new Map<number, PendingTask>();
  #queue: Promise<unknown> = Promise.resolve();
  #lastId = 0;
  #death: CaptureError | undefined;

  constructor(settings: CaptureSettings) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const workerData: WorkerStart = { settings, port: port2, cancel: this.#cancel };
    // No worker thread of ours may run WebAssembly, nor `fetch`, which uses it: in Node 24 V8 can free WebAssembly code
    // that another thread still runs, which crashes the process (vitest.config.ts).
    this.#worker = new Worker(new URL("./capture-worker.ts", import.meta.url), {
      workerData,
      transferList: [port2],
      execArgv: [],
      resourceLimits: THREAD_LIMITS,
    });
    this.#worker.on("error", (cause) => this.#die(cause));
    this.#worker.on("exit", () => this.#die(undefined));
    this.#port.on("message", (reply: WorkerReply) => this.#receive(reply));
  }

  run<T>(task: WorkerTask, options: TaskOptions = {}): Promise<T> {
    const result = this.#queue.then(() => this.#start(task, options));
    this.#queue = result.catch(() => undefined);
    return result as Promise<T>;
  }

  /** Lets the threads end by themselves: a thread that is terminated while it closes can crash the process. */
  async close(): Promise<void> {
    const exited = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()));
    if (this.#death) return;
    await this.run({ kind: "close" }).catch(() => undefined);
    this.#port.close();
    const timer = setTimeout(() => this.#worker.terminate(), 10_000);
    await exited;
    clearTimeout(timer);
  }

  #start(task: WorkerTask, { signal, onProgress }: TaskOptions): Promise<unknown> {
    if (this.#death) return Promise.reject(this.#death);
    if (signal?.aborted) {
      return Promise.reject(
        new CaptureError("cancelled", "The capture was cancelled before it began. Nothing was saved."),
      );
    }
    this.#lastId += 1;
    const id = this.#lastId;
    const abort = () => Atomics.store(this.#cancel, 0, 1);
    Atomics.store(this.#cancel, 0, 0);
    signal?.addEventListener("abort", abort, { once: true });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      this.#port.postMessage({ id, ...task } satisfies WorkerRequest);
    }).finally(() => signal?.removeEventListener("abort", abort));
  }

  #receive(reply: WorkerReply): void {
    const waiting = this.#waiting.get(reply.id);
    if (!waiting) return;
    if (reply.kind === "progress") {
      waiting.onProgress?.({ files: reply.files, bytes: reply.bytes });
      return;
    }
    this.#waiting.delete(reply.id);
    if (reply.kind === "done") waiting.resolve(reply.result);
    else waiting.reject(unpackError(reply.error));
  }

  #die(cause: unknown): void {
    this.#death ??= new CaptureError(
      "worker-died",
      "The thread that captures files ended. Nothing was saved. Open the workspace again.",
      { cause },
    );
    for (const { reject } of this.#waiting.values()) reject(this.#death);
    this.#waiting.clear();
  }
}

interface PendingTask {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: OnProgress | undefined;
}
