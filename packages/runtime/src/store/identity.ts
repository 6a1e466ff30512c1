import { randomUUID } from "node:crypto";
import { type Actor, asLetters, type Context } from "@retake/core";

/** Where the clock and chance come from: ids that sort by the time they were made (UUIDv7). */
export class Identity {
  readonly now: () => number;
  #last = 0;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  id(): string {
    // Ids made in one process ascend, also within one millisecond and when the clock goes back.
    this.#last = Math.max(this.#last + 1 / 4096, this.now());
    const milliseconds = Math.floor(this.#last);
    const within = Math.floor((this.#last - milliseconds) * 4096);
    const time = milliseconds.toString(16).padStart(12, "0");
    // The variant and the rest of a UUID are chance in every version, and Node draws for many of them at once.
    const tail = randomUUID().slice("00000000-0000-0000-".length);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${within.toString(16).padStart(3, "0")}-${tail}`;
  }

  /** Of an entry that no turn writes: it is the entry's name, so it is one that can be read and typed. */
  entryId(): string {
    return asLetters(randomUUID().slice(-12));
  }

  context(actor: Actor): Context {
    return { id: this.id(), at: this.now(), actor };
  }
}
