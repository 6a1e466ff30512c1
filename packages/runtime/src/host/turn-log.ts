import type { FeedEvent } from "../events/feed-event.ts";

/**
 * All that a turn tells, from its beginning, for whoever shows it as it runs. As in the feed, a reader is a position
 * that takes what lies behind it when it has room. Unlike there, what passes (live text, outputs of tools) is kept while the
 * turn runs, so that nobody misses it who begins late, reads slowly or comes back.
 */
export class TurnLog {
  readonly #most: number;
  #kept: FeedEvent[] = [];
  #size = 0;
  #last = 0;
  #ended = false;
  readonly #waiting = new Set<() => void>();

  constructor(most_characters = MOST_CHARACTERS) {
    this.#most = most_characters;
  }

  tell(event: object): void {
    const json = JSON.stringify(event);
    this.#last += 1;
    this.#kept.push({ seq: this.#last, thread: undefined, json });
    this.#size += json.length;
    while (this.#size > this.#most && this.#kept.length > 1) this.#size -= this.#kept.shift()?.json.length ?? 0;
    this.#wake();
  }

  /** Nothing follows: whoever has read all of it is done. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Batches of events behind a number, an empty one where nothing is told for long, until the turn has ended. */
  async *follow(since: number, signal: AbortSignal, heartbeat_ms = 15_000): AsyncGenerator<readonly FeedEvent[], void> {
    for (let position = since; !signal.aborted; ) {
      const events = this.#behind(position);
      position = events.at(-1)?.seq ?? position;
      if (events.length > 0) yield events;
      else if (this.#ended) return;
      else if (!(await this.#woken(signal, heartbeat_ms))) yield [];
    }
  }

  #behind(position: number): readonly FeedEvent[] {
    const first = this.#kept[0]?.seq ?? 1;
    if (position + 1 >= first) return this.#kept.slice(position + 1 - first);
    const gap = { type: "gap", seq: first - 1, since_seq: position };
    return [{ seq: gap.seq, thread: undefined, json: JSON.stringify(gap) }, ...this.#kept];
  }

  /** Waits for something to take; false when nothing came in time. */
  #woken(signal: AbortSignal, timeout: number): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (something: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve(something);
      };
      const wake = () => done(true);
      const timer = setTimeout(() => done(false), timeout);
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake);
      if (signal.aborted) wake();
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

/** Of events that are kept. More than a person reads; a turn that says more is followed from later on. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
