/**
 * One thing at a time in a workspace: a change of files waits for the one before it. A turn may take long, so callers
 * check `turnRuns` before they wait.
 */
export class WorkspaceGate {
  #last: Promise<unknown> = Promise.resolve();
  #turns = 0;
  #inside = 0;

  get turnRuns(): boolean {
    return this.#turns > 0;
  }

  get idle(): boolean {
    return this.#inside === 0;
  }

  /** Runs `work` when all that came before is done. */
  enter<T>(work: () => Promise<T>): Promise<T> {
    this.#inside += 1;
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result.finally(() => {
      this.#inside -= 1;
    });
  }

  /** `work` says when the turn is over; its work after that is short, and can be waited for. */
  turn<T>(work: (over: () => void) => Promise<T>): Promise<T> {
    return this.enter(async () => {
      this.#turns += 1;
      let runs = true;
      const over = () => {
        if (runs) this.#turns -= 1;
        runs = false;
      };
      try {
        return await work(over);
      } finally {
        over();
      }
    });
  }
}
