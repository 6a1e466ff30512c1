/**
 * The threads of a store: one commit point.
 *
 * `change` runs a decision of the core in one transaction, on the thread as it stands, and commits what
 * was decided: the operation, the records it changed, the thread's new head, the snapshot it makes of the
 * files, and the row that sync will look for. Nothing that can change is kept in memory between two calls, so several
 * processes can work on one thread; they take turns at SQLite's write lock, and each sees what the others did.
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
import type { Database } from "./open-database.ts";
import { SnapshotLog } from "./snapshot-log.ts";
import { snapshotOf } from "./snapshot-of.ts";
import { type SpaceId, SpaceRows } from "./space-rows.ts";
import { StoreError } from "./store-error.ts";

export interface ThreadSummary {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly workspace_root: string;
  readonly deleted: boolean;
  /** It never leaves the machine (L8). */
  readonly private: boolean;
  readonly created_at: number;
  readonly updated_at: number;
}

export class ThreadStore {
  readonly #database: Database;
  readonly #spaces: SpaceRows;
  readonly #snapshots: SnapshotLog;
  readonly #outbox: boolean;
  readonly #known = new KnownOperations();
  /** What the last operation of a thread left of typing; an operation that may be large is not read again for it. */
  readonly #typing = new Map<string, { readonly head: OperationId; readonly typing: Typing | null }>();

  /** With `outbox`, every operation is written down for sync; a store of private threads has none. */
  constructor(database: Database, options: { readonly outbox: boolean }) {
    this.#database = database;
    this.#spaces = new SpaceRows(database);
    this.#snapshots = new SnapshotLog(database);
    this.#outbox = options.outbox;
  }

  /** Commits the operation that `decide` makes of the thread as it stands; a refusal commits nothing. */
  change(thread: string, decide: (history: History) => Built): Operation | Refusal {
    return this.#database.transaction(() => {
      const history = this.#history(thread);
      const built = decide(history);
      if (built.kind === "refused") return built;
      this.#commit(thread, history, built.operation);
      return built.operation;
    });
  }

  /** Reads a thread as it stands, all of it at one moment. */
  read<T>(thread: string, look: (history: History) => T): T {
    return this.#database.snapshot(() => {
      const history = this.#history(thread);
      if (history.state.head === null)
        throw new StoreError("unknown-thread", `There is no thread ${thread} in this store.`);
      return look(history);
    });
  }

  /** Threads, the one that was changed last first; with `root`, only those of that workspace. */
  list(root?: string): ThreadSummary[] {
    const rows = this.#database
      .prepare(
        "SELECT id, title, version, workspace_root, deleted, created_at, updated_at FROM threads WHERE ? IS NULL OR workspace_root = ? ORDER BY updated_at DESC, id DESC",
      )
      .all(root ?? null, root ?? null);
    return rows.map((row) => summaryOf(row, !this.#outbox));
  }

  get(thread: string): ThreadSummary | undefined {
    const row = this.#database
      .prepare("SELECT id, title, version, workspace_root, deleted, created_at, updated_at FROM threads WHERE id = ?")
      .get(thread);
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
      this.#database.run("DELETE FROM threads WHERE id = ?", thread);
      this.#database.run("DELETE FROM takes WHERE thread = ?", thread);
      this.#database.run(
        "DELETE FROM space_changes WHERE operation IN (SELECT id FROM operations WHERE thread = ?)",
        thread,
      );
      this.#spaces.dropAll(thread);
      for (const operation of this.operations(thread)) this.#writeRecords(thread, this.#history(thread), operation);
    });
  }

  /** Checks that every operation is what was committed, in the order it was committed in (`retake doctor`). */
  verify(thread: string): { readonly operation: OperationId; readonly problem: string }[] {
    return this.#database.snapshot(() => {
      const problems: { operation: OperationId; problem: string }[] = [];
      const rows = this.#database
        .prepare("SELECT id, hash, body FROM operations WHERE thread = ? ORDER BY version")
        .all(thread);
      for (const row of rows) {
        const id = row["id"] as string;
        const decoded = decode(operationFormat, parse(row["body"] as string));
        if (decoded.kind === "unreadable") problems.push({ operation: id, problem: decoded.message });
        else if (!Buffer.from(row["hash"] as Uint8Array).equals(this.#hash(decoded.value))) {
          problems.push({ operation: id, problem: "its content is not what was committed" });
        }
      }
      return problems;
    });
  }

  #history(thread: string): History {
    const operation = (id: OperationId) => this.#operation(id);
    const present = this.#present(thread);
    return { state: present, operation, stateAt: (id) => this.#stateAt(present, id) };
  }

  #present(thread: string): State {
    const row = this.#database.prepare("SELECT space, head, version FROM threads WHERE id = ?").get(thread);
    if (!row) return EMPTY_STATE;
    const takes = this.#database.prepare("SELECT take, space FROM takes WHERE thread = ? ORDER BY take").all(thread);
    const head = row["head"] as string;
    return {
      head,
      version: Number(row["version"]),
      thread: this.#spaces.records(Number(row["space"])),
      spaces: SortedMap.fromSorted(
        takes.map((each) => [each["take"] as string, this.#spaces.space(Number(each["space"]))] as const),
      ),
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

  #commit(thread: string, history: History, operation: Operation): void {
    this.#database.run(
      "INSERT INTO operations (id, thread, version, hash, body) VALUES (?, ?, ?, ?, ?)",
      operation.id,
      thread,
      operation.version,
      this.#hash(operation),
      JSON.stringify(encode(operationFormat, operation)),
    );
    this.#writeRecords(thread, history, operation);
    if (this.#outbox) this.#database.run("INSERT INTO outbox (operation, thread) VALUES (?, ?)", operation.id, thread);
  }

  /** What follows from an operation: the records it changed, and the thread's new head. */
  #writeRecords(thread: string, history: History, operation: Operation): void {
    const after = apply(history.state, operation, (id) => history.stateAt(id));
    // Before the rows change: the states read them when they are asked.
    const snapshot = snapshotOf(thread, operation, history.state, after);
    if (snapshot) this.#snapshots.add(snapshot);
    const shared = this.#threadSpace(thread);
    for (const change of operation.diff.spaces ?? []) this.#exchange(thread, operation, change, history, after);
    const takes = new Map<TakeId, SpaceId>();
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
      `INSERT INTO threads (id, space, head, version, workspace_root, title, deleted, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET head = excluded.head, version = excluded.version, title = excluded.title,
         deleted = excluded.deleted, updated_at = excluded.updated_at`,
      thread,
      space,
      operation.id,
      operation.version,
      String(facts["workspace_root"] ?? ""),
      String(facts["title"] ?? activeTake(state)),
      facts["deleted"] === true ? 1 : 0,
      operation.created_at,
      operation.created_at,
    );
  }

  #threadSpace(thread: string): SpaceId {
    const row = this.#database.prepare("SELECT space FROM threads WHERE id = ?").get(thread);
    return row ? Number(row["space"]) : this.#spaces.create(thread);
  }

  #takeSpace(thread: string, take: TakeId): SpaceId | undefined {
    const row = this.#database.prepare("SELECT space FROM takes WHERE thread = ? AND take = ?").get(thread, take);
    return row && Number(row["space"]);
  }

  #hash(operation: Operation): Buffer {
    const parents = operation.parents.map((id) => {
      const row = this.#database.prepare("SELECT hash FROM operations WHERE id = ?").get(id);
      if (!row) throw new MissingOperationError(id);
      return Buffer.from(row["hash"] as Uint8Array).toString("hex");
    });
    return Buffer.from(
      hashOperation(operation, parents, (text) => hash("sha256", text)),
      "hex",
    );
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
    const known = this.#known.get(hash);
    if (known) return known;
    const body = String(this.#database.prepare("SELECT body FROM operations WHERE id = ?").get(id)?.["body"]);
    const decoded = decode(operationFormat, parse(body));
    if (decoded.kind === "unreadable") throw new StoreError("unreadable", `Operation ${id}: ${decoded.message}`);
    this.#known.add(hash, decoded.value, body.length);
    return decoded.value;
  }
}

function summaryOf(row: Readonly<Record<string, unknown>>, isPrivate: boolean): ThreadSummary {
  return {
    id: row["id"] as string,
    title: row["title"] as string,
    version: Number(row["version"]),
    workspace_root: row["workspace_root"] as string,
    deleted: row["deleted"] === 1,
    private: isPrivate,
    created_at: Number(row["created_at"]),
    updated_at: Number(row["updated_at"]),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
