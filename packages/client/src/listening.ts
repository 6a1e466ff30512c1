/**
 * One connection of a reader. A server that has nothing to tell sends a heartbeat, so one that is not heard of for long is
 * gone, whatever the connection says: a laptop that slept, a cable that was pulled.
 */
export class Listening {
  readonly #lost = new AbortController();
  readonly #longest: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Aborted when the connection is to end. */
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal | undefined, longest_ms: number) {
    this.#longest = longest_ms;
    this.signal = signal ? AbortSignal.any([signal, this.#lost.signal]) : this.#lost.signal;
    this.heard();
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lost.abort(), this.#longest);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
