import { localId, type Operation, recordOf, type State, type TakeId, takeOf } from "@retake/core";
import type { Database } from "@retake/workspace";
import type { SpaceId } from "./layers.ts";
import { OpenSpace } from "./space-rows.ts";

/** What the rows of a thread say, but for its entries. */
export interface KnownThread {
  /** The one that its takes share. */
  readonly space: SpaceId;
  /** Of its head, in hexadecimal digits; not known where the operation is lost. */
  readonly hash: string | undefined;
  readonly takes: ReadonlyMap<TakeId, SpaceId>;
  readonly spaces: Map<SpaceId, OpenSpace>;
}

/**
 * What was read of threads lately. The hash of a thread's head is over all that led to it, so where a thread's row leads to
 * the same hash and the same space, all else is as it was, whoever has committed meanwhile: it is not read again. The row
 * itself always is, in the transaction that it is needed in.
 */
export class KnownThreads {
  readonly #database: Database;
  readonly #known = new Map<string, KnownThread>();
  #rollbacks = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The thread whose row says so. */
  at(thread: string, space: SpaceId, hash: string | undefined): KnownThread {
    // What a transaction left was read in it, and may never have been.
    if (this.#rollbacks !== this.#database.rollbacks) this.#known.clear();
    this.#rollbacks = this.#database.rollbacks;
    const known = this.#known.get(thread);
    if (known && known.space === space && known.hash === hash && hash !== undefined) return known;
    const rows = this.#database.prepare("SELECT take, space FROM takes WHERE thread = ? ORDER BY take").all(thread);
    const takes = new Map(rows.map((row) => [row["take"] as string, Number(row["space"])]));
    return this.#keep(thread, { space, hash, takes, spaces: new Map() });
  }

  /** After an operation was written, whose own hash is given: the records that it changed are known. */
  follow(thread: string, before: KnownThread, { diff }: Operation, hash: string, after: State): void {
    if (diff.spaces) {
      this.#known.delete(thread);
      return;
    }
    for (const { id } of diff.changes) {
      const [take, local] = [takeOf(id), localId(id)];
      const space = take === undefined ? before.space : before.takes.get(take);
      if (space === undefined || local.startsWith("entry:")) continue;
      before.spaces.get(space)?.records.learn(local, recordOf(after, id));
    }
    this.#keep(thread, { ...before, hash });
  }

  open(known: KnownThread, space: SpaceId): OpenSpace {
    const open = known.spaces.get(space) ?? new OpenSpace(this.#database, space);
    known.spaces.set(space, open);
    return open;
  }

  #keep(thread: string, known: KnownThread): KnownThread {
    this.#known.delete(thread);
    this.#known.set(thread, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }
}

/** Threads, of which few are worked in at a time. */
const MOST = 100;
