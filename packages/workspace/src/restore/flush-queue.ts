import { close, fsync } from "node:fs";

/** Files to flush together: flushes that wait at the same time share the file system's commits. */
export class FlushQueue {
  readonly #descriptors: number[] = [];

  /** Takes over the descriptor, which is closed after the flush. */
  add(descriptor: number): void {
    this.#descriptors.push(descriptor);
  }

  /** Flushes when many files are waiting, so that the process does not run out of descriptors. */
  async room(): Promise<void> {
    if (this.#descriptors.length >= MOST_OPEN) await this.drained();
  }

  /** Resolves when everything added is flushed; rejects if a flush failed. */
  async drained(): Promise<void> {
    const flushes = this.#descriptors.splice(0).map(flushAndClose);
    const failed = (await Promise.allSettled(flushes)).find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
  }
}

const MOST_OPEN = 512;

function flushAndClose(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(descriptor, (flushError) => {
      close(descriptor, (closeError) => {
        const error = flushError ?? closeError;
        if (error) reject(error);
        else resolve();
      });
    });
  });
}
