import { ApiError } from "./api-error.ts";

const FIRST_WAIT = 100;
const LONGEST_WAIT = 5000;

/** The waits between attempts at what fails for the moment: each is longer than the one before, until it went well again. */
export class Patience {
  readonly #signal: AbortSignal | undefined;
  #next = FIRST_WAIT;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  wentWell(): void {
    this.#next = FIRST_WAIT;
  }

  /** Resolves after the wait, or as soon as nobody waits for it any more. */
  async wait(): Promise<void> {
    const milliseconds = this.#next;
    this.#next = Math.min(milliseconds * 2, LONGEST_WAIT);
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      if (this.#signal?.aborted) done();
      else this.#signal?.addEventListener("abort", done);
    });
  }
}

/** A refused request stays refused; all other errors (no connection, a server in trouble) may pass. */
export function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}
