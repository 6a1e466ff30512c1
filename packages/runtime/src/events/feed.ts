/**
 * The events of a store, for any number of readers.
 *
 * There is one log of events. Committed operations are events; nothing is stored a second time. Our own commits
 * announce themselves (`look`). Commits of other processes show in the log file that SQLite appends to, which is
 * watched; a slow poll finds what the watcher missed. Live events (text, questions, progress) stand between them, in
 * the order in which they were reported. The last part of the log is kept in memory.
 *
 *   commit ─▶ WAL file ─▶ look ─┐
 *   live text, progress ─▶ tell ┴▶ recent events ─┬─▶ reader at 212
 *                              older: the store ──┴─▶ reader at 17.3 (slow, or back after a while)
 *
 * A reader is a position. It takes the next events when it has room, so a slow reader needs no memory and delays
 * nobody. Older than the memory, only operations can be read: a reader that missed live events gets a gap event.
 * A reader that names no position is told the one that it gets, before any event: it may lose its connection before the
 * first. Following one thread or one turn means leaving out the events of others. A turn has its own start; from there on
 * the log is kept while it runs.
 */
import { randomBytes } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { type Database, StoreError } from "@retake/workspace";
import { OperationLog } from "../store/operation-log.ts";
import { type Cursor, cursorText, isUpTo, type Position } from "./cursor.ts";
import {
  committedEvent,
  type FeedEvent,
  gapEvent,
  LARGEST,
  openedEvent,
  type Passing,
  passingEvent,
} from "./feed-event.ts";

/** The stores to follow; the private one does not exist before the first private thread. */
export interface Followed {
  readonly shared: FollowedStore;
  readonly private: FollowedStore | undefined;
}

interface FollowedStore {
  readonly directory: string;
  readonly database: Database;
}

const STORES = ["shared", "private"] as const;
/** How often the stores are read for commits that the watcher missed. */
const POLL_MS = 1000;

export interface Following {
  /** Where to begin; without it, from now on, or from the start of the turn. */
  readonly since?: Cursor | undefined;
  readonly thread?: string | undefined;
  /** Only the events of this turn, until its last. */
  readonly turn?: string | undefined;
  readonly signal: AbortSignal;
  /** After this long without events the reader gets an empty batch, so that it can send a sign of life. */
  readonly heartbeat_ms?: number;
}

/** How many events are kept for readers that are a little late; more while a turn runs that began before them. */
const KEPT = 2000;
/** The limit for all kept events together, whatever runs. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** How many events a reader takes at a time. */
const BATCH = 200;

export class Feed {
  readonly #followed: Followed;
  readonly #most: number;
  readonly #logs = new Map<Database, OperationLog>();
  readonly #watchers = new Map<string, FSWatcher | undefined>();
  readonly #poll: NodeJS.Timeout;
  readonly #process = BigInt(`0x${randomBytes(8).toString("hex")}`).toString(36);
  readonly #wakers = new Set<() => void>();
  /** Where each turn begins in the log, and whether its last event was reported. */
  readonly #turns = new Map<string, { readonly from: LogPosition; ended: boolean }>();
  #recent: Recent[] = [];
  #characters = 0;
  /** The beginning and the end of the recent events. */
  #from: LogPosition;
  #last: LogPosition;
  #soon: NodeJS.Immediate | undefined;

  constructor(followed: Followed, most_characters = MOST_CHARACTERS) {
    this.#followed = followed;
    this.#most = most_characters;
    this.#last = { at: 0, position: this.#present() };
    this.#from = this.#last;
    this.#poll = setInterval(() => this.look(), POLL_MS);
    this.#poll.unref();
  }

  /** The current end of the log. */
  cursor(): string {
    this.#look();
    return cursorText(this.#cursor(this.#last));
  }

  /** How many operations the stores hold. */
  committed(): string {
    return cursorText(this.#present());
  }

  /**
   * Reads new commits and wakes the readers. Without any reader, the next one reads them. A disk failure here does not
   * concern the caller, whose commit succeeded: the poll tries again.
   */
  look(): void {
    if (this.#wakers.size > 0 || this.#turns.size > 0) this.#look();
  }

  #look(): void {
    try {
      this.#readCommitted();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  #readCommitted(): void {
    const before = this.#last.at;
    for (let found = true; found; ) {
      found = false;
      for (const store of STORES)
        for (const logged of this.#log(store)?.after(this.#last.position[store], BATCH, LARGEST) ?? []) {
          found = true;
          this.#keep({ ...this.#last.position, [store]: logged.sequence }, (cursor) => committedEvent(logged, cursor));
        }
      if (this.#last.at - before > KEPT) this.#skip();
    }
    if (this.#last.at > before) this.#wake();
  }

  /** After many commits without any reader, they are not read at once: a reader that needs them reads the store. */
  #skip(): void {
    if (this.#wakers.size > 0 || this.#turns.size > 0) return;
    this.#last = { at: this.#last.at + 1, position: this.#present() };
    this.#from = this.#last;
    this.#recent = [];
    this.#characters = 0;
  }

  /** The same a moment later, once for all commits until then. */
  lookSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      this.look();
    });
  }

  tell(passing: Passing): void {
    this.#keep(this.#last.position, (cursor) => passingEvent(passing, cursor));
    this.#wake();
  }

  /** Marks the start of a turn: the log is kept from now on until the turn is forgotten. */
  beginTurn(turn: string): void {
    this.#look();
    this.#turns.set(turn, { from: this.#last, ended: false });
  }

  /** Its last event was reported. */
  endTurn(turn: string): void {
    const begun = this.#turns.get(turn);
    if (begun) begun.ended = true;
    this.#wake();
  }

  forgetTurn(turn: string): void {
    this.#turns.delete(turn);
  }

  /** Yields batches of events, in order, until the signal. A batch is made when the previous one was taken. */
  async *follow(following: Following): AsyncGenerator<readonly FeedEvent[], void> {
    const { since, turn, signal, heartbeat_ms = 15_000 } = following;
    const reader = new Reader();
    const wake = () => reader.wake();
    signal.addEventListener("abort", wake);
    this.#look();
    this.#wakers.add(wake);
    try {
      const begun = turn === undefined ? undefined : this.#turns.get(turn);
      const lost = this.#place(reader, following, begun?.from);
      if (lost) yield [lost];
      if (!since && turn === undefined) yield [openedEvent(this.#cursor(this.#last))];
      while (!signal.aborted) {
        // Read before the events are taken: events reported later are seen in the next round.
        const ended = begun?.ended ?? false;
        const batch = this.#next(reader, following);
        if (batch.length > 0) yield batch;
        if (reader.at !== this.#last.at) continue;
        if (ended) return;
        if (batch.length === 0 && !(await reader.woken(heartbeat_ms, signal))) yield [];
      }
    } finally {
      signal.removeEventListener("abort", wake);
      this.#wakers.delete(wake);
    }
  }

  close(): void {
    clearInterval(this.#poll);
    clearImmediate(this.#soon);
    for (const watcher of this.#watchers.values()) watcher?.close();
    this.#wake();
  }

  /** Sets a reader to its start; returns a gap when some of the requested operations can no longer be reported. */
  #place(reader: Reader, { since }: Following, from = this.#last): FeedEvent | undefined {
    reader.at = from.at;
    reader.position = from.position;
    if (!since) return undefined;
    const isSent = STORES.every(
      (store) =>
        since[store] <= this.#last.position[store] &&
        (since[store] === this.#last.position[store] || (this.#log(store)?.reaches(since[store]) ?? true)),
    );
    const ours = since.live?.process === this.#process && since.live.at <= this.#last.at;
    if (!isSent) return gapEvent(since, this.#cursor(this.#last), "operations");
    reader.at = ours ? since.live.at : undefined;
    reader.position = since;
    return since.live && !ours ? gapEvent(since, since, "live") : undefined;
  }

  /** The next events for a reader, from memory or from the stores; moves the reader after them. */
  #next(reader: Reader, { thread, turn }: Following): FeedEvent[] {
    if (reader.at === undefined || reader.at < this.#from.at) return this.#older(reader, thread, turn);
    const begin = reader.at - this.#from.at;
    const taken = this.#recent.slice(begin, begin + BATCH);
    reader.at += taken.length;
    reader.position = taken.at(-1)?.position ?? reader.position;
    return taken.map(({ event }) => event).filter((event) => isWanted(event, thread, turn));
  }

  /** Operations that are no longer in memory, until the reader reaches the start of the memory. */
  #older(reader: Reader, thread: string | undefined, turn: string | undefined): FeedEvent[] {
    const { position } = reader;
    const lost = reader.at === undefined ? [] : [gapEvent(position, position, "live")];
    reader.at = undefined;
    // When it is ahead in one store, it saw them in another order than that of the recent events.
    const join = isUpTo(position, this.#from.position) ? this.#from : this.#last;
    const events: FeedEvent[] = [];
    let upto: Position = position;
    let all = true;
    for (const store of STORES) {
      const read = this.#log(store)?.after(position[store], BATCH, LARGEST, thread) ?? [];
      for (const logged of read) {
        if (logged.sequence > join.position[store]) break;
        upto = { ...upto, [store]: logged.sequence };
        events.push(committedEvent(logged, upto));
      }
      const last = read.at(-1);
      if (read.length === BATCH && last && last.sequence < join.position[store]) all = false;
      else upto = { ...upto, [store]: join.position[store] };
    }
    reader.position = upto;
    if (all) reader.at = join.at;
    return [...lost, ...events.filter((event) => isWanted(event, thread, turn))];
  }

  #keep(position: Position, make: (cursor: Cursor) => FeedEvent): void {
    this.#last = { at: this.#last.at + 1, position };
    const event = make(this.#cursor(this.#last));
    this.#recent.push({ event, position });
    this.#characters += event.json.length;
    if (this.#characters > this.#most || this.#recent.length > KEPT) this.#drop();
  }

  /** Drops many of the oldest events at once, except for those since the start of a running turn. */
  #drop(): void {
    const needed = Math.min(...[...this.#turns.values()].map(({ from }) => from.at)) - this.#from.at;
    let count = Math.max(0, Math.min(needed, this.#recent.length - (KEPT * 3) / 4));
    const size = (index: number) => this.#recent[index]?.event.json.length ?? 0;
    let characters = this.#characters;
    for (let index = 0; index < count; index += 1) characters -= size(index);
    // A turn with more text than this can only be followed from a later point.
    if (this.#characters > this.#most)
      for (; count < this.#recent.length - 1 && characters > (this.#most * 3) / 4; count += 1)
        characters -= size(count);
    if (count === 0) return;
    const last = this.#recent.splice(0, count).at(-1);
    this.#characters = characters;
    this.#from = { at: this.#from.at + count, position: last?.position ?? this.#from.position };
  }

  #cursor({ at, position }: LogPosition): Cursor {
    return { ...position, live: { process: this.#process, at } };
  }

  #present(): Position {
    return { shared: this.#log("shared")?.last() ?? 0, private: this.#log("private")?.last() ?? 0 };
  }

  /** The log of a store, whose files are watched from now on. */
  #log(store: keyof Position): OperationLog | undefined {
    const place = this.#followed[store];
    if (!place) return undefined;
    const { directory, database } = place;
    if (!this.#watchers.has(directory)) this.#watch(directory);
    const log = this.#logs.get(database) ?? new OperationLog(database);
    this.#logs.set(database, log);
    return log;
  }

  /** A failed watch is only a missing hint: the poll continues. It fails where the user's watches are used up. */
  #watch(directory: string): void {
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        if (name === null || name.endsWith("-wal")) this.lookSoon();
      });
      watcher.on("error", () => {});
      this.#watchers.set(directory, watcher);
    } catch {
      this.#watchers.set(directory, undefined);
    }
  }

  #wake(): void {
    for (const wake of [...this.#wakers]) wake();
  }
}

/** A place in the log of events, and the number of operations before it. */
interface LogPosition {
  readonly at: number;
  readonly position: Position;
}

interface Recent {
  readonly event: FeedEvent;
  /** The number of operations up to it. */
  readonly position: Position;
}

class Reader {
  /** The last event that it has seen; undefined while it reads older ones from the stores. */
  at: number | undefined;
  position: Position = { shared: 0, private: 0 };
  wake: () => void = () => {};

  /** Waits for new events; false when none came in time. */
  woken(timeout: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(false), timeout);
      const done = (something: boolean) => {
        clearTimeout(timer);
        this.wake = () => {};
        resolve(something);
      };
      this.wake = () => done(true);
      if (signal.aborted) done(true);
    });
  }
}

function isWanted(event: FeedEvent, thread: string | undefined, turn: string | undefined): boolean {
  // Events without a thread, such as those of sync, are for everybody who follows one.
  const isOfThread = thread === undefined || event.thread === undefined || event.thread === thread;
  return isOfThread && (turn === undefined || event.turn === turn);
}
