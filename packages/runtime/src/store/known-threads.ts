import { localId, type Operation, type OperationId, recordOf, type State, type TakeId, takeOf } from "@retake/core";
import type { Database } from "@retake/workspace";
import type { SpaceId } from "./layers.ts";
import { OpenSpace } from "./space-rows.ts";

/** The content of a thread's rows, except for its entries. */
export interface KnownThread {
  /** The space that its takes share. */
  readonly space: SpaceId;
  readonly head: OperationId;
  /** The hash of its head, in hexadecimal digits; undefined when the operation is lost. */
  readonly hash: string | undefined;
  readonly takes: ReadonlyMap<TakeId, SpaceId>;
  readonly spaces: Map<SpaceId, OpenSpace>;
}

/**
 * Recently read threads. The head of a thread names all operations that led to it, and no operation ever changes. So when a
 * thread's row still has the same head and the same space, everything else is unchanged too, whichever process committed
 * meanwhile, and is not read again. The row itself is always read, in the current transaction.
 */
export class KnownThreads {
  readonly #database: Database;
  readonly #threads = new Map<string, KnownThread>();
  #rollbacks = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The thread with the space and head that its row contains. */
  at(thread: string, space: SpaceId, head: OperationId): KnownThread {
    // Data read in a transaction that was rolled back may never have existed.
    if (this.#rollbacks !== this.#database.rollbacks) this.#threads.clear();
    this.#rollbacks = this.#database.rollbacks;
    const known = this.#threads.get(thread);
    if (known && known.space === space && known.head === head && known.hash !== undefined) return known;
    const row = this.#database.prepare("SELECT lower(hex(hash)) AS hash FROM operations WHERE id = ?").get(head);
    const rows = this.#database.prepare("SELECT take, space FROM takes WHERE thread = ? ORDER BY take").all(thread);
    const takes = new Map(rows.map((each) => [each["take"] as string, Number(each["space"])]));
    return this.#keep(thread, { space, head, hash: row?.["hash"] as string | undefined, takes, spaces: new Map() });
  }

  /** Call it after operations were written, with the hash of the last: updates the records that they changed. */
  follow(thread: string, before: KnownThread, operations: readonly Operation[], hash: string, after: State): void {
    if (operations.some(({ diff }) => diff.spaces)) {
      this.#threads.delete(thread);
      return;
    }
    const changed = new Set(operations.flatMap(({ diff }) => diff.changes.map(({ id }) => id)));
    for (const id of changed) {
      const [take, local] = [takeOf(id), localId(id)];
      const space = take === undefined ? before.space : before.takes.get(take);
      if (space === undefined || local.startsWith("entry:")) continue;
      before.spaces.get(space)?.records.learn(local, recordOf(after, id));
    }
    this.#keep(thread, { ...before, head: operations.at(-1)?.id ?? before.head, hash });
  }

  open(known: KnownThread, space: SpaceId): OpenSpace {
    const open = known.spaces.get(space) ?? new OpenSpace(this.#database, space);
    known.spaces.set(space, open);
    return open;
  }

  #keep(thread: string, known: KnownThread): KnownThread {
    this.#threads.delete(thread);
    this.#threads.set(thread, known);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > MOST && oldest !== undefined) this.#threads.delete(oldest);
    return known;
  }
}

/** The most threads in memory; few are in use at a time. */
const MOST = 100;
