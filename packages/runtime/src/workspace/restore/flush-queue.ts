import { close, fsync } from "node:fs";

/**
 * Flushes files while others are still being written. A file system commits what several waiting
 * flushes ask for together, so many at once cost a third of one after the other; more than a few
 * dozen at once would only hold descriptors.
 */
export class FlushQueue {
  #waiting = 0;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /** Takes over the descriptor: it is closed when flushed. */
  add(descriptor: number): void {
    this.#waiting += 1;
    fsync(descriptor, (flushError) => {
      close(descriptor, (closeError) => {
        this.#waiting -= 1;
        this.#failure ??= flushError ?? closeError ?? undefined;
        this.#wake?.();
      });
    });
  }

  /** Resolves when there is room for more. */
  async room(): Promise<void> {
    if (this.#waiting >= mostWaiting) await this.#until(mostWaiting / 2);
  }

  /** Resolves when everything that was added is flushed; rejects if something could not be. */
  async drained(): Promise<void> {
    await this.#until(0);
    if (this.#failure) throw this.#failure;
  }

  async #until(waiting: number): Promise<void> {
    while (this.#waiting > waiting) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

const mostWaiting = 64;
