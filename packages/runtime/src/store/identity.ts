import { randomUUID } from "node:crypto";
import { type Actor, asLetters, type Context } from "@retake/core";

/** The source of time and random ids. Ids sort by their time (UUIDv7). */
export class Identity {
  readonly now: () => number;
  #last = 0;

  constructor(now: () => number) {
    this.now = now;
  }

  id(): string {
    // Ids of one process ascend, also within one millisecond and when the clock goes back.
    this.#last = Math.max(this.#last + 1 / 4096, this.now());
    const milliseconds = Math.floor(this.#last);
    const within = Math.floor((this.#last - milliseconds) * 4096);
    const time = milliseconds.toString(16).padStart(12, "0");
    // The variant and the rest of a UUID are random in every version, and Node draws random numbers for many at once.
    const tail = randomUUID().slice("00000000-0000-0000-".length);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${within.toString(16).padStart(3, "0")}-${tail}`;
  }

  /** From 0 up to 1. */
  chance(): number {
    return Math.random();
  }

  /** The id of an entry that no turn writes. It is also the entry's name, so it must be easy to read and type. */
  entryId(): string {
    return asLetters(randomUUID().slice(-12));
  }

  context(actor: Actor): Context {
    return { id: this.id(), at: this.now(), actor };
  }
}
