/**
 * The last events of the stream that a tab hears, and its readers.
 *
 * A reader names the last event that it knows (`since_seq`), and goes on right after it. Positions are opaque: they are equal
 * or not, and none is known to be before another. So a reader whose position is not among the kept ones gets a `gap`, and
 * reads its state again. The same holds where the stream begins anew (`stream-opened`) at a place that the reader has not
 * reached: after a sign-out, or because a change was committed after the reader's state was read and before the stream began.
 */
import type { FollowedEvents, RetakeEvent } from "@retake/client";

const MOST_KEPT = 2000;

export class EventMemory {
  #kept: RetakeEvent[] = [];
  #readers = new Set<(event: RetakeEvent) => void>();

  add(event: RetakeEvent): void {
    this.#kept.push(event);
    if (this.#kept.length > MOST_KEPT) this.#kept = this.#kept.slice(-MOST_KEPT / 2);
    for (const reader of this.#readers) reader(event);
  }

  /** Calls on every event from now on; returns an unsubscribe function. */
  onEvent(reader: (event: RetakeEvent) => void): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** The events after a position, for as long as anyone asks for them; without a position, from now on. */
  async *follow({ thread, since_seq, signal }: FollowedEvents = {}): AsyncGenerator<RetakeEvent, void> {
    const queue: RetakeEvent[] = [];
    let position = since_seq;
    let wake = () => {};
    const take = (event: RetakeEvent) => {
      const before = position;
      position = event.seq;
      if (event.type === "stream-opened") {
        if (before !== undefined && before !== event.seq) queue.push(gap(before, event.seq));
      } else if (thread === undefined || !("thread_id" in event) || event.thread_id === thread) queue.push(event);
      wake();
    };
    this.#after(since_seq).forEach(take);
    const end = this.onEvent(take);
    const onAbort = () => wake();
    signal?.addEventListener("abort", onAbort);
    try {
      while (!signal?.aborted) {
        const event = queue.shift();
        if (event) yield event;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (queue.length > 0 || signal?.aborted) resolve();
          });
      }
    } finally {
      end();
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** The events after a position. Where it is not kept, all are handed out: a view ignores the operations that it has. */
  #after(seq: string | undefined): readonly RetakeEvent[] {
    const [first] = this.#kept;
    if (seq === undefined || !first) return [];
    const at = this.#kept.findIndex((event) => event.seq === seq);
    return at >= 0 ? this.#kept.slice(at + 1) : [gap(seq, first.seq), ...this.#kept];
  }
}

function gap(since_seq: string, seq: string): RetakeEvent {
  return { type: "gap", seq, since_seq, lost: "operations" };
}
