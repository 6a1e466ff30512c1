/**
 * Changes that arrive at the same moment are flushed to the disk together. Each is an operation of its own,
 * decided on what those before it left, and answered when it is durable; only the flush, which costs more than
 * all else, is shared.
 */
export class GroupCommit {
  readonly #together: (work: () => void) => void;
  #waiting: QueuedCommit[] = [];

  /** `together` runs its work in one transaction. */
  constructor(together: (work: () => void) => void) {
    this.#together = together;
  }

  run<T>(change: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush());
      this.#waiting.push({ change, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    const results: unknown[] = [];
    try {
      if (batch.length > 1) this.#together(() => results.push(...batch.map(({ change }) => change())));
    } catch {
      // Nothing is committed. Running the changes one by one finds the failing one.
      results.length = 0;
    }
    for (const [index, { change, resolve, reject }] of batch.entries()) {
      try {
        resolve(index < results.length ? results[index] : change());
      } catch (error) {
        reject(error);
      }
    }
  }
}

interface QueuedCommit {
  readonly change: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}
