/**
 * The threads of a store: one commit point.
 *
 * `change` runs a decision of the core in one transaction, on the thread as it stands, and commits what
 * was decided: the operation, the records it changed, the thread's new head, the snapshot it makes of the
 * files, and the row that sync will look for. What is kept in memory between two calls is known by the hash of the thread's
 * head, which is read anew in every one of them (`known-threads.ts`), so several processes can work on one thread; they
 * take turns at SQLite's write lock, and each sees what the others did.
 *
 * The present records are rows, so a change costs the change. The past is not stored a second time: the
 * state before an operation is had by taking the operations back, from the present on.
 */
import { hash } from "node:crypto";
import {
  activeTake,
  apply,
  type Built,
  decode,
  EMPTY_STATE,
  encode,
  type History,
  hashOperation,
  localId,
  MissingOperationError,
  type Operation,
  type OperationId,
  operationFormat,
  type Refusal,
  recordOf,
  recordsIn,
  SortedMap,
  type Space,
  type SpaceChange,
  type SpaceSource,
  type State,
  type TakeId,
  type Typing,
  takeOf,
  typingAfter,
  unapply,
} from "@retake/core";
import { KnownOperations } from "./known-operations.ts";
import { type KnownThread, KnownThreads } from "./known-threads.ts";
import type { Database } from "./open-database.ts";
import { SnapshotLog } from "./snapshot-log.ts";
import { snapshotOf } from "./snapshot-of.ts";
import { type SpaceId, SpaceRows } from "./space-rows.ts";
import { StoreError } from "./store-error.ts";
import type { StoredOperation } from "./stored-operations.ts";
import { StoredTable } from "./stored-table.ts";

export interface ThreadSummary {
  readonly id: string;
  readonly title: string;
  readonly head: OperationId;
  readonly version: number;
  readonly workspace_root: string;
  readonly deleted: boolean;
  /** It never leaves the machine (L8). */
  readonly private: boolean;
  readonly created_at: number;
  readonly updated_at: number;
  /** The number of its last operation in the store that it is in: the higher, the later. */
  readonly sequence: number;
}

export class ThreadStore {
  readonly #database: Database;
  readonly #spaces: SpaceRows;
  readonly #snapshots: SnapshotLog;
  readonly #outbox: boolean;
  readonly #operations = new KnownOperations();
  readonly #threads: KnownThreads;
  /** What the last operation of a thread left of typing; an operation that may be large is not read again for it. */
  readonly #typing = new Map<string, { readonly head: OperationId; readonly typing: Typing | null }>();

  /** With `outbox`, every operation is written down for sync; a store of private threads has none. */
  constructor(database: Database, options: { readonly outbox: boolean }) {
    this.#database = database;
    this.#spaces = new SpaceRows(database);
    this.#threads = new KnownThreads(database);
    this.#snapshots = new SnapshotLog(database);
    this.#outbox = options.outbox;
  }

  /** Says which workspace a thread lives in here, before its first operation. One that lives somewhere stays there. */
  place(thread: string, root: string): void {
    this.#database.run("INSERT OR IGNORE INTO places (thread, workspace_root) VALUES (?, ?)", thread, root);
  }

  /**
   * Commits the operation that `decide` makes of the thread as it stands; a refusal commits nothing. `told` is shown the
   * state that the operation leads to, inside the transaction.
   */
  change(thread: string, decide: (history: History) => Built, told?: (after: State) => void): Operation | Refusal {
    return this.#database.transaction(() => {
      const present = this.#present(thread);
      const built = decide(present.history);
      if (built.kind === "refused") return built;
      this.#commit(thread, present, built.operation, told);
      return built.operation;
    });
  }

  /** Stores an operation that was committed elsewhere, as it is, after its parents. It is of no effect yet: see `forward`. */
  receive(thread: string, operation: Operation, { hash, body }: StoredOperation): void {
    this.#insert(thread, operation, Buffer.from(hash, "hex"), body);
  }

  /** Takes a thread forward to an operation that was received and follows its head. */
  forward(thread: string, head: OperationId): void {
    this.#database.transaction(() => {
      const { state } = this.#present(thread).history;
      const line = this.#line(head, state.head);
      // Ours is no part of its first line: the other side has merged it.
      if (line.length > 0 && line[0]?.parents[0] !== (state.head ?? undefined)) this.#clear(thread);
      for (const operation of line) this.#writeRecords(thread, this.#present(thread), operation);
    });
  }

  /** The operations that lead to the head, oldest first; a merge brought in the others. */
  line(thread: string): Operation[] {
    const last = "SELECT id FROM operations WHERE thread = ? ORDER BY version DESC, sequence DESC LIMIT 1";
    const head = this.#database.prepare(last).get(thread)?.["id"];
    return head === undefined ? [] : this.#line(head as string, null);
  }

  /** Reads a thread as it stands, all of it at one moment. */
  read<T>(thread: string, look: (history: History) => T): T {
    return this.#database.snapshot(() => {
      const { history } = this.#present(thread);
      if (history.state.head === null)
        throw new StoreError("unknown-thread", `There is no thread ${thread} in this store.`);
      return look(history);
    });
  }

  /** Threads, the one that was changed last first; with `root`, only those of that workspace. */
  list(root?: string): ThreadSummary[] {
    const rows = this.#database
      .prepare(`SELECT ${SUMMARY} FROM threads WHERE ? IS NULL OR workspace_root = ? ORDER BY sequence DESC`)
      .all(root ?? null, root ?? null);
    return rows.map((row) => summaryOf(row, !this.#outbox));
  }

  get(thread: string): ThreadSummary | undefined {
    const row = this.#database.prepare(`SELECT ${SUMMARY} FROM threads WHERE id = ?`).get(thread);
    return row && summaryOf(row, !this.#outbox);
  }

  has(thread: string): boolean {
    return this.#database.prepare("SELECT 1 FROM threads WHERE id = ?").get(thread) !== undefined;
  }

  /** The threads of a workspace in which an agent works, or worked when its process was killed. */
  working(root: string): string[] {
    return this.#database
      .prepare(
        `SELECT DISTINCT threads.id FROM threads JOIN takes ON takes.thread = threads.id
         JOIN records ON records.space = takes.space AND records.id = 'agent'
         WHERE threads.workspace_root = ? ORDER BY threads.id`,
      )
      .all(root)
      .map((row) => row["id"] as string);
  }

  hasOperation(thread: string, id: OperationId): boolean {
    return this.#database.prepare("SELECT 1 FROM operations WHERE id = ? AND thread = ?").get(id, thread) !== undefined;
  }

  /** The ids of a thread's operations that begin so, in order. */
  operationIds(thread: string, beginning: string): string[] {
    return this.#database
      .prepare("SELECT id FROM operations WHERE thread = ? AND substr(id, 1, ?) = ? ORDER BY id")
      .all(thread, beginning.length, beginning)
      .map((row) => row["id"] as string);
  }

  /** Every thread that an operation belongs to, also one whose row is lost. */
  everyId(): string[] {
    return this.#database
      .prepare("SELECT DISTINCT thread AS id FROM operations UNION SELECT id FROM threads ORDER BY id")
      .all()
      .map((row) => row["id"] as string);
  }

  /** The operations of a thread, in the order in which they were committed. */
  *operations(thread: string): Generator<Operation> {
    const rows = this.#database.prepare("SELECT id FROM operations WHERE thread = ? ORDER BY version, sequence");
    for (const row of rows.all(thread)) yield this.#required(row["id"] as string);
  }

  /** Makes the rows of a thread anew from its operations, which stay as they are (`retake doctor --repair`). */
  rebuild(thread: string): void {
    this.#database.transaction(() => {
      const line = this.line(thread);
      this.#clear(thread);
      for (const operation of line) this.#writeRecords(thread, this.#present(thread), operation);
    });
  }

  #clear(thread: string): void {
    this.#database.run("DELETE FROM threads WHERE id = ?", thread);
    this.#database.run("DELETE FROM takes WHERE thread = ?", thread);
    this.#database.run(
      "DELETE FROM space_changes WHERE operation IN (SELECT id FROM operations WHERE thread = ?)",
      thread,
    );
    this.#spaces.dropAll(thread);
  }

  /** The operations behind `after` that lead to `head`, oldest first; all of them where `after` is none of them. */
  #line(head: OperationId, after: OperationId | null): Operation[] {
    const line: Operation[] = [];
    for (let at: OperationId | undefined = head; at !== undefined && at !== after; at = line.at(-1)?.parents[0])
      line.push(this.#required(at));
    return line.reverse();
  }

  /** Checks that every operation is what was committed, in the order it was committed in (`retake doctor`). */
  verify(thread: string): { readonly operation: OperationId; readonly problem: string }[] {
    return this.#database.snapshot(() => {
      const problems: { operation: OperationId; problem: string }[] = [];
      const rows = this.#database
        .prepare("SELECT id, lower(hex(hash)) AS hash, body FROM operations WHERE thread = ? ORDER BY version")
        .all(thread);
      for (const row of rows) {
        const id = row["id"] as string;
        const decoded = decode(operationFormat, parse(row["body"] as string));
        if (decoded.kind === "unreadable") problems.push({ operation: id, problem: decoded.message });
        else if (row["hash"] !== this.#hash(decoded.value)) {
          problems.push({ operation: id, problem: "its content is not what was committed" });
        }
      }
      return problems;
    });
  }

  #present(thread: string): Present {
    const row = this.#database
      .prepare(
        `SELECT space, head, threads.version, lower(hex(hash)) AS hash
         FROM threads LEFT JOIN operations ON operations.id = head WHERE threads.id = ?`,
      )
      .get(thread);
    const known = row && this.#threads.at(thread, Number(row["space"]), (row["hash"] as string) || undefined);
    const state = known ? this.#state(thread, row["head"] as string, Number(row["version"]), known) : EMPTY_STATE;
    const operation = (id: OperationId) => this.#operation(id);
    return { history: { state, operation, stateAt: (id) => this.#stateAt(state, id) }, known };
  }

  #state(thread: string, head: OperationId, version: number, known: KnownThread): State {
    const takes = [...known.takes].map(
      ([take, space]) => [take, this.#spaces.space(space, this.#threads.recordsIn(known, space))] as const,
    );
    return {
      ...{ head, version },
      thread: new StoredTable(this.#threads.recordsIn(known, known.space)),
      spaces: SortedMap.fromSorted(takes),
      typing: this.#typingAt(thread, head),
    };
  }

  #typingAt(thread: string, head: OperationId): Typing | null {
    const known = this.#typing.get(thread);
    if (known?.head === head) return known.typing;
    const last = this.#operation(head);
    const typing = last ? typingAfter(last) : null;
    this.#typing.set(thread, { head, typing });
    return typing;
  }

  #stateAt(present: State, wanted: OperationId): State {
    let state = present;
    while (state.head !== null && state.head !== wanted) {
      const operation = this.#required(state.head);
      const parent = operation.parents[0];
      const before = parent === undefined ? undefined : this.#required(parent);
      if (!before) return this.#folded(wanted);
      const place = { head: before.id, version: before.version, typing: typingAfter(before) };
      state = unapply(state, operation, place, (take) => this.#spaceBefore(operation.id, take));
    }
    return state.head === wanted ? state : this.#folded(wanted);
  }

  /** An operation of another line, which going back from the present does not lead to. */
  #folded(wanted: OperationId): State {
    const line: Operation[] = [];
    for (let at: OperationId | undefined = wanted; at !== undefined; at = line.at(-1)?.parents[0])
      line.push(this.#required(at));
    return line.reduceRight((state, operation) => apply(state, operation, (id) => this.#folded(id)), EMPTY_STATE);
  }

  #spaceBefore(operation: OperationId, take: TakeId) {
    const row = this.#database
      .prepare("SELECT before FROM space_changes WHERE operation = ? AND take = ?")
      .get(operation, take);
    const space = row?.["before"];
    return space === null || space === undefined ? undefined : this.#spaces.space(Number(space));
  }

  #commit(thread: string, present: Present, operation: Operation, told?: (after: State) => void): void {
    const { known } = present;
    const hash = this.#hash(operation, present);
    const bytes = Buffer.from(hash, "hex");
    this.#insert(thread, operation, bytes, JSON.stringify(encode(operationFormat, operation)));
    this.#writeRecords(thread, present, operation, told);
    if (known) this.#threads.follow(thread, known, operation, hash);
  }

  #insert(thread: string, operation: Operation, hash: Buffer, body: string): void {
    this.#database.run(
      "INSERT INTO operations (id, thread, version, hash, body) VALUES (?, ?, ?, ?, ?)",
      operation.id,
      thread,
      operation.version,
      hash,
      body,
    );
    // Most undos are of what was just done.
    this.#operations.add(hash.toString("latin1"), operation, body.length);
    if (this.#outbox) this.#database.run("INSERT INTO outbox (operation, thread) VALUES (?, ?)", operation.id, thread);
  }

  /** What follows from an operation: the records it changed, and the thread's new head. */
  #writeRecords(
    thread: string,
    { history, known }: Present,
    operation: Operation,
    told?: (after: State) => void,
  ): void {
    const after = apply(history.state, operation, (id) => history.stateAt(id));
    // Before the rows change: the states read them when they are asked.
    const snapshot = snapshotOf(thread, operation, history.state, after);
    if (snapshot) this.#snapshots.add(snapshot);
    told?.(after);
    const shared = known?.space ?? this.#spaces.create(thread);
    for (const change of operation.diff.spaces ?? []) this.#exchange(thread, operation, change, history, after);
    const takes = new Map(operation.diff.spaces ? [] : known?.takes);
    for (const { id } of operation.diff.changes) {
      const take = takeOf(id);
      const space = take === undefined ? shared : (takes.get(take) ?? this.#takeSpace(thread, take));
      if (take !== undefined && space !== undefined) takes.set(take, space);
      if (space !== undefined) this.#spaces.put(space, localId(id), recordOf(after, id));
    }
    this.#moveHead(thread, shared, after, operation);
    this.#typing.set(thread, { head: operation.id, typing: after.typing });
  }

  #exchange(thread: string, operation: Operation, change: SpaceChange, history: History, after: State): void {
    const { take, after: source } = change;
    const before = this.#takeSpace(thread, take);
    this.#database.run(
      "INSERT INTO space_changes (operation, take, before) VALUES (?, ?, ?)",
      operation.id,
      take,
      before ?? null,
    );
    if (source === null) {
      this.#database.run("DELETE FROM takes WHERE thread = ? AND take = ?", thread, take);
      return;
    }
    const space = this.#spaces.create(thread);
    const made = after.spaces.get(take);
    if (source !== "empty" && made) this.#fill(thread, space, source, history, made);
    this.#database.run("INSERT OR REPLACE INTO takes (thread, take, space) VALUES (?, ?, ?)", thread, take, space);
  }

  /** The entries are copied from row to row where they can be; there are many of them, and few other records. */
  #fill(thread: string, space: SpaceId, source: Exclude<SpaceSource, "empty">, history: History, made: Space): void {
    const present = source.operation === history.state.head ? this.#takeSpace(thread, source.take) : undefined;
    if (present !== undefined) this.#spaces.copyEntries(present, space, source.upto);
    const rest = present === undefined ? recordsIn(made) : made.records.entries();
    for (const [local, value] of rest) this.#spaces.put(space, local, value);
  }

  #moveHead(thread: string, space: SpaceId, state: State, operation: Operation): void {
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
      operation.id,
      operation.version,
      thread,
      String(facts["title"] ?? activeTake(state)),
      facts["deleted"] === true ? 1 : 0,
      operation.created_at,
      operation.created_at,
      operation.id,
    );
  }

  #takeSpace(thread: string, take: TakeId): SpaceId | undefined {
    const row = this.#database.prepare("SELECT space FROM takes WHERE thread = ? AND take = ?").get(thread, take);
    return row && Number(row["space"]);
  }

  /** Over the operation and the hashes of those it follows; that of the head is known, where it is given. */
  #hash(operation: Operation, present?: Present): string {
    const parents = operation.parents.map((id) => {
      if (id === present?.history.state.head && present.known?.hash !== undefined) return present.known.hash;
      const row = this.#database.prepare("SELECT lower(hex(hash)) AS hash FROM operations WHERE id = ?").get(id);
      if (!row) throw new MissingOperationError(id);
      return row["hash"] as string;
    });
    return hashOperation(operation, parents, (text) => hash("sha256", text));
  }

  #required(id: OperationId): Operation {
    const operation = this.#operation(id);
    if (!operation) throw new MissingOperationError(id);
    return operation;
  }

  #operation(id: OperationId): Operation | undefined {
    const found = this.#database.prepare("SELECT hash FROM operations WHERE id = ?").get(id);
    if (!found) return undefined;
    const hash = Buffer.from(found["hash"] as Uint8Array).toString("latin1");
    const known = this.#operations.get(hash);
    if (known) return known;
    const body = String(this.#database.prepare("SELECT body FROM operations WHERE id = ?").get(id)?.["body"]);
    const decoded = decode(operationFormat, parse(body));
    if (decoded.kind === "unreadable") throw new StoreError("unreadable", `Operation ${id}: ${decoded.message}`);
    this.#operations.add(hash, decoded.value, body.length);
    return decoded.value;
  }
}

/** A thread as it stands, and what its rows say; none before its first operation. */
interface Present {
  readonly history: History;
  readonly known: KnownThread | undefined;
}

const SUMMARY = "id, title, head, version, workspace_root, deleted, created_at, updated_at, sequence";

function summaryOf(row: Readonly<Record<string, unknown>>, isPrivate: boolean): ThreadSummary {
  return {
    id: row["id"] as string,
    title: row["title"] as string,
    head: row["head"] as string,
    version: Number(row["version"]),
    workspace_root: row["workspace_root"] as string,
    deleted: row["deleted"] === 1,
    private: isPrivate,
    created_at: Number(row["created_at"]),
    updated_at: Number(row["updated_at"]),
    sequence: Number(row["sequence"]),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
