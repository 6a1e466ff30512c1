import {
  activeTake,
  apply,
  type History,
  localId,
  type Operation,
  type RecordId,
  recordOf,
  type Space,
  type SpaceChange,
  type State,
  type TakeId,
  takeOf,
} from "@retake/core";
import type { Database } from "@retake/workspace";
import { draftOf } from "./draft-state.ts";
import type { KnownThread, KnownThreads } from "./known-threads.ts";
import type { SpaceId } from "./layers.ts";
import type { LineRows } from "./line-rows.ts";
import type { SnapshotLog } from "./snapshot-log.ts";
import { filesBefore, snapshotOf } from "./snapshot-of.ts";
import type { LocalRecord, OpenSpace, SpaceRows } from "./space-rows.ts";
import type { Present, ThreadStates } from "./thread-states.ts";

/**
 * Writes everything that is derived from the operations of threads: the current records, the takes, the heads and the
 * snapshots.
 */
export class ThreadRows {
  readonly #database: Database;
  readonly #spaces: SpaceRows;
  readonly #lines: LineRows;
  readonly #threads: KnownThreads;
  readonly #states: ThreadStates;
  readonly #snapshots: SnapshotLog;
  readonly #outbox: boolean;
  readonly #few: number;

  constructor(
    database: Database,
    parts: {
      readonly spaces: SpaceRows;
      readonly lines: LineRows;
      readonly threads: KnownThreads;
      readonly states: ThreadStates;
      readonly snapshots: SnapshotLog;
    },
    { outbox, few }: { readonly outbox: boolean; readonly few: number },
  ) {
    this.#database = database;
    this.#spaces = parts.spaces;
    this.#lines = parts.lines;
    this.#threads = parts.threads;
    this.#states = parts.states;
    this.#snapshots = parts.snapshots;
    this.#outbox = outbox;
    this.#few = few;
  }

  /**
   * Writes what is derived from operations that follow each other: the records that they changed, once, and the thread's
   * new head. An operation that replaces spaces is alone, because past states are read from the rows.
   */
  write(
    thread: string,
    { history, known }: Present,
    operations: readonly [Operation, ...Operation[]],
    told?: (after: State) => void,
  ): State {
    let after = operations.length > 1 ? draftOf(history.state) : history.state;
    for (const operation of operations) {
      const files = filesBefore(operation, after);
      after = apply(after, operation, (id) => history.stateAt(id));
      // Before the rows change, because the states read them on request.
      const snapshot = snapshotOf(thread, operation, files, after);
      if (snapshot) this.#snapshots.add(snapshot);
    }
    this.#lines.add(thread, operations);
    told?.(after);
    const [first] = operations;
    const shared = known?.space ?? this.#spaces.create(thread);
    // Read all sources before the first replacement: it may reorganize the layers through which the states are read.
    const exchanges = (first.diff.spaces ?? []).map((change) => ({ change, from: sourceOf(history, change) }));
    for (const { change, from } of exchanges) this.#exchange(thread, first, change, from);
    const takes = new Map<TakeId, SpaceId>(first.diff.spaces ? [] : known?.takes);
    const written = new Map<SpaceId, { readonly open: OpenSpace; readonly records: LocalRecord[] }>();
    for (const id of changedRecords(operations)) {
      const take = takeOf(id);
      const space = take === undefined ? shared : (takes.get(take) ?? this.#takeSpace(thread, take));
      if (space === undefined) continue;
      if (take !== undefined) takes.set(take, space);
      const one = written.get(space) ?? { open: this.#open(known, first, space), records: [] };
      written.set(space, one);
      one.records.push([localId(id), recordOf(after, id)]);
    }
    // All are read before the first is written, because the states read the rows on request.
    for (const { open, records } of written.values()) this.#spaces.put(open, records);
    this.#moveHead(thread, shared, after, operations);
    for (const { open, records } of written.values()) if (records.length > this.#few) this.#settle(known, open);
    this.#states.follow(thread, after);
    return after;
  }

  /** An operation that replaces spaces may add layers that the known thread does not have. */
  #open(known: KnownThread | undefined, { diff }: Operation, space: SpaceId): OpenSpace {
    return known && !diff.spaces ? this.#threads.open(known, space) : this.#spaces.open(space);
  }

  #settle(known: KnownThread | undefined, { id, layers }: OpenSpace): void {
    if (layers.length === 1) return;
    this.#spaces.settle(id);
    known?.spaces.delete(id);
  }

  #exchange(thread: string, operation: Operation, { take, after }: SpaceChange, from: Space | undefined): void {
    const before = this.#takeSpace(thread, take);
    this.#database.run(
      "INSERT INTO space_changes (operation, take, before) VALUES (?, ?, ?)",
      operation.id,
      take,
      before ?? null,
    );
    if (after === null) {
      this.#database.run("DELETE FROM takes WHERE thread = ? AND take = ?", thread, take);
      return;
    }
    const space =
      from && after !== "empty" ? this.#spaces.derive(from, after, { thread, take }) : this.#spaces.create(thread);
    this.#database.run("INSERT OR REPLACE INTO takes (thread, take, space) VALUES (?, ?, ?)", thread, take, space);
  }

  #moveHead(thread: string, space: SpaceId, state: State, operations: readonly [Operation, ...Operation[]]): void {
    const [first] = operations;
    const last = operations.at(-1) ?? first;
    const facts = recordOf(state, "thread") ?? {};
    if (this.#outbox && facts["private"] === true) throw new Error("a private thread in a store that is synced");
    this.#database.run(
      `INSERT INTO threads (id, space, head, version, workspace_root, title, deleted, created_at, updated_at, sequence)
       VALUES (?, ?, ?, ?, (SELECT workspace_root FROM places WHERE thread = ?), ?, ?, ?, ?,
         (SELECT sequence FROM operations WHERE id = ?))
       ON CONFLICT (id) DO UPDATE SET head = excluded.head, version = excluded.version, title = excluded.title,
         deleted = excluded.deleted, updated_at = excluded.updated_at, sequence = excluded.sequence`,
      thread,
      space,
      last.id,
      last.version,
      thread,
      String(facts["title"] ?? activeTake(state)),
      facts["deleted"] === true ? 1 : 0,
      first.created_at,
      last.created_at,
      last.id,
    );
  }

  #takeSpace(thread: string, take: TakeId): SpaceId | undefined {
    const row = this.#database.prepare("SELECT space FROM takes WHERE thread = ? AND take = ?").get(thread, take);
    return row && Number(row["space"]);
  }

  /** Removes everything derived from the operations of a thread; the operations stay. */
  clear(thread: string): void {
    this.#database.run("DELETE FROM threads WHERE id = ?", thread);
    this.#database.run("DELETE FROM takes WHERE thread = ?", thread);
    this.#lines.clear(thread);
    this.#database.run(
      "DELETE FROM space_changes WHERE operation IN (SELECT id FROM operations WHERE thread = ?)",
      thread,
    );
    this.#spaces.dropAll(thread);
  }
}

/** Each record once, in the order of the first changes. */
function changedRecords(operations: readonly Operation[]): ReadonlySet<RecordId> {
  return new Set(operations.flatMap(({ diff }) => diff.changes.map(({ id }) => id)));
}

function sourceOf(history: History, { after }: SpaceChange): Space | undefined {
  return after === null || after === "empty" ? undefined : history.stateAt(after.operation).spaces.get(after.take);
}
