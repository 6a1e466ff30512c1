/**
 * What happens in a store, for any number of readers.
 *
 * The committed operations are the events; nothing is stored a second time. New ones are noticed by whoever
 * made them: our own commits say so (`look`), another process's show in the log file that SQLite appends
 * to, which is watched, and a slow poll finds what the watcher missed. They are read once, kept for a
 * moment, and handed to every reader.
 *
 *   commit ─▶ WAL file ─▶ look ─▶ recent events ─┬─▶ reader at 17
 *                                   older: log ──┴─▶ reader at 3 (slow, or back after a while)
 *
 * A reader is a position. It takes what lies behind it when it has room, from the recent events or from
 * the log, so a slow one holds nothing and delays nobody. What passes (live text, progress) has no number
 * and waits for no one: a reader that has no room misses it.
 */
import { type FSWatcher, watch } from "node:fs";
import type { Database } from "../store/open-database.ts";
import { OperationLog } from "../store/operation-log.ts";
import { StoreError } from "../store/store-error.ts";
import { committedEvent, type FeedEvent, gapEvent, type Passing, passingEvent } from "./feed-event.ts";
import { fromSequence, laterOf, type Position, toSequence } from "./sequence.ts";

/** The stores that are followed; the private one is not there before the first private thread. */
export interface Followed {
  readonly shared: Place;
  readonly private: Place | undefined;
}

interface Place {
  readonly directory: string;
  readonly database: Database;
}

const STORES = ["shared", "private"] as const;
/** How often it is looked for what the watcher missed. */
const POLL_MS = 1000;

export interface Following {
  /** The number behind which to begin; without one, from now on. */
  readonly since?: number | undefined;
  readonly thread?: string | undefined;
  readonly signal: AbortSignal;
  /** Nothing for this long, and an empty batch is given, so that the reader can show it is alive. */
  readonly heartbeat_ms?: number;
}

/** Events that are kept for those who are a moment late. */
const KEPT = 2000;
/** Read from the log at a time. */
const BATCH = 200;
/** Passing events that wait for a reader. */
const WAITING = 500;

export class Feed {
  readonly #followed: Followed;
  readonly #logs = new Map<Database, OperationLog>();
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #poll: NodeJS.Timeout;
  readonly #readers = new Set<Reader>();
  #recent: FeedEvent[] = [];
  /** The number that the recent events follow. */
  #from: number;
  #last: Position;
  #soon: NodeJS.Immediate | undefined;

  constructor(followed: Followed) {
    this.#followed = followed;
    this.#last = this.#present();
    this.#from = toSequence(this.#last);
    this.#poll = setInterval(() => this.look(), POLL_MS);
    this.#poll.unref();
  }

  /** The number of the last operation there is. */
  sequence(): number {
    return toSequence(this.#present());
  }

  /**
   * Reads what was committed since, and wakes those who wait for it. A disk that fails meanwhile is no matter of those
   * who have committed: the poll looks again.
   */
  look(): void {
    try {
      this.#look();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  #look(): void {
    if (this.#readers.size === 0) {
      this.#last = this.#present();
      this.#from = toSequence(this.#last);
      this.#recent = [];
      return;
    }
    for (;;) {
      const events = this.#read(this.#last, undefined);
      if (events.length === 0) break;
      this.#recent.push(...events);
      this.#last = fromSequence(events.at(-1)?.seq ?? toSequence(this.#last));
    }
    const over = this.#recent.length - KEPT;
    if (over > 0) this.#from = this.#recent.splice(0, over).at(-1)?.seq ?? this.#from;
    for (const reader of this.#readers) reader.wake();
  }

  /** The same a moment later, once for all that is committed until then. */
  lookSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      this.look();
    });
  }

  /** Tells who listens now. */
  tell(passing: Passing): void {
    if (this.#readers.size === 0) return;
    const event = passingEvent(passing);
    for (const reader of this.#readers) {
      if (reader.thread !== undefined && reader.thread !== event.thread) continue;
      if (reader.passing.length < WAITING) reader.passing.push(event);
      reader.wake();
    }
  }

  /** Batches of events, in order, until the signal. A batch is asked for when the one before has been taken. */
  async *follow({
    since,
    thread,
    signal,
    heartbeat_ms = 15_000,
  }: Following): AsyncGenerator<readonly FeedEvent[], void> {
    const reader: Reader = { thread, passing: [], wake: () => {} };
    const wake = () => reader.wake();
    signal.addEventListener("abort", wake);
    if (this.#readers.size === 0) this.look();
    this.#readers.add(reader);
    try {
      let position = since ?? toSequence(this.#last);
      const gap = since === undefined ? undefined : this.#gapBehind(since);
      if (gap) {
        position = gap.seq ?? position;
        yield [gap];
      }
      while (!signal.aborted) {
        const { events, upto } = this.#behind(position, thread);
        position = upto;
        const batch = [...reader.passing.splice(0), ...events];
        if (batch.length > 0) yield batch;
        else if (!(await this.#woken(reader, heartbeat_ms, signal))) yield [];
      }
    } finally {
      signal.removeEventListener("abort", wake);
      this.#readers.delete(reader);
    }
  }

  close(): void {
    clearInterval(this.#poll);
    clearImmediate(this.#soon);
    for (const watcher of this.#watchers.values()) watcher.close();
    for (const reader of this.#readers) reader.wake();
  }

  /**
   * What lies behind a position, and how far that is. Only a position that the recent events were numbered
   * through is looked up in them: two stores can be read in more than one order.
   */
  #behind(position: number, thread: string | undefined): { events: readonly FeedEvent[]; upto: number } {
    const at = position === this.#from ? 0 : this.#recent.findLastIndex(({ seq }) => seq === position) + 1;
    if (at > 0 || position === this.#from) {
      const events = this.#recent.slice(at).filter((event) => thread === undefined || event.thread === thread);
      return { events, upto: toSequence(this.#last) };
    }
    // The log may be ahead of the recent events, in one store and not in the other: no part of a position goes back.
    const from = fromSequence(position);
    const upto = laterOf(from, this.#last);
    if (toSequence(upto) === position) return { events: [], upto: position };
    const events = this.#read(from, thread);
    return { events, upto: events.at(-1)?.seq ?? toSequence(upto) };
  }

  /** The next operations of either store, numbered as a reader at that position would have seen them. */
  #read(from: Position, thread: string | undefined): FeedEvent[] {
    let position = from;
    const events: FeedEvent[] = [];
    for (const store of STORES)
      for (const logged of this.#log(store)?.after(from[store], BATCH, thread) ?? []) {
        position = { ...position, [store]: logged.sequence };
        events.push(committedEvent(logged, toSequence(position)));
      }
    return events;
  }

  #gapBehind(since: number): FeedEvent | undefined {
    const [asked, last] = [fromSequence(since), this.#present()];
    const told = STORES.every(
      (store) => asked[store] <= last[store] && (this.#log(store)?.reaches(asked[store]) ?? true),
    );
    return told ? undefined : gapEvent(since, toSequence(this.#last));
  }

  #present(): Position {
    return { shared: this.#log("shared")?.last() ?? 0, private: this.#log("private")?.last() ?? 0 };
  }

  /** The log of a store, whose files are watched from then on. */
  #log(store: keyof Position): OperationLog | undefined {
    const place = this.#followed[store];
    if (!place) return undefined;
    const { directory, database } = place;
    if (!this.#watchers.has(directory)) {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        if (name === null || name.endsWith("-wal")) this.lookSoon();
      });
      // A hint that fails is only a hint less: the poll goes on.
      watcher.on("error", () => {});
      this.#watchers.set(directory, watcher);
    }
    const log = this.#logs.get(database) ?? new OperationLog(database);
    this.#logs.set(database, log);
    return log;
  }

  /** Waits for something to take; false when nothing came in time. */
  #woken(reader: Reader, timeout: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(false), timeout);
      const done = (something: boolean) => {
        clearTimeout(timer);
        reader.wake = () => {};
        resolve(something);
      };
      reader.wake = () => done(true);
      if (signal.aborted) done(true);
    });
  }
}

interface Reader {
  readonly thread: string | undefined;
  readonly passing: FeedEvent[];
  wake: () => void;
}
