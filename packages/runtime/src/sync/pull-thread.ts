import { Worker } from "node:worker_threads";
import type { Directories } from "../store/directories.ts";
import type { ReadyLogin } from "./login-file.ts";
import type { PullStep } from "./pull-parts.ts";

export interface PullThreadStart {
  readonly directories: Directories;
  /** The id of this machine in the states of threads. */
  readonly device: string;
  readonly login: ReadyLogin;
  readonly thread: string;
  readonly step: PullStep;
}

/** The end of a pull is the end of the thread. */
export type PullMessage = { readonly kind: "step" } | { readonly kind: "failed"; readonly message: string };

/**
 * Pulls a thread in a thread of this process, with a connection of its own: to store thousands of operations takes
 * seconds, and this thread serves others meanwhile. Resolves when the other thread has ended, also after the signal: it
 * stops after the part that it stores, because a thread that is terminated while it works can crash the process.
 */
export async function pullInThread(start: PullThreadStart, onStep: () => void, signal?: AbortSignal): Promise<void> {
  const worker = new Worker(new URL("./pull-worker.ts", import.meta.url), { workerData: start, execArgv: [] });
  const stop = () => worker.postMessage("stop");
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on("message", (message: PullMessage) => {
        if (message.kind === "step") onStep();
        else reject(new Error(message.message));
      });
      worker.once("error", reject);
      worker.once("exit", () => resolve());
    });
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
