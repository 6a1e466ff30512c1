/**
 * The threads of a store, with a single commit point.
 *
 * `change` runs a decision of core in one transaction, on the current state of the thread, and commits the result: the
 * operation, the records it changed, the thread's new head, the snapshot of the files, and the row for sync. Data
 * cached between two calls is identified by the thread's head, which every call reads again
 * (`known-threads.ts`). So several processes can work on one thread: they take turns at SQLite's write lock, and each
 * sees the changes of the others.
 *
 * The current records are rows (`thread-rows.ts`), so the cost of a change depends on its size. `thread-states.ts`
 * reads them, and the past.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Built,
  EMPTY_STATE,
  type History,
  type Operation,
  type OperationId,
  type Refusal,
  type State,
} from "@retake/core";
import { type Database, StoreError } from "@retake/workspace";
import type { DiskLog } from "./disk-log.ts";
import { KnownThreads } from "./known-threads.ts";
import { LineRows } from "./line-rows.ts";
import { OperationRows, type ReceivedOperation } from "./operation-rows.ts";
import { noteInQueue } from "./queued-prompts.ts";
import { SnapshotLog } from "./snapshot-log.ts";
import { FEW } from "./space-layers.ts";
import { SpaceRows } from "./space-rows.ts";
import type { StoredOperation } from "./stored-operations.ts";
import { ThreadRows } from "./thread-rows.ts";
import { type Present, ThreadStates } from "./thread-states.ts";

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
  /** The number of its last operation in its store: the higher, the later. */
  readonly sequence: number;
}

export interface ThreadStoreOptions {
  /** Whether every operation is queued for sync; not in a store of private threads. */
  readonly outbox: boolean;
  /** The id of this machine: each device has its own active take. */
  readonly device?: string;
  /** Receives the changes of operations on disk; only for callers that work on files. */
  readonly disk?: DiskLog;
  /** Up to this many rows a branch copies; more rows are shared. Tests set it lower. */
  readonly few?: number;
}

/** How many operations are reversed before others are served: about 20 ms. */
const AT_ONCE = 256;

/** How many operations are folded in memory before their rows are written. */
const LONGEST_RUN = 1000;

const SUMMARY = "id, title, head, version, workspace_root, deleted, created_at, updated_at, sequence";

export class ThreadStore {
  readonly #database: Database;
  readonly #states: ThreadStates;
  readonly #rows: ThreadRows;
  readonly #operations: OperationRows;
  readonly #lines: LineRows;
  readonly #outbox: boolean;
  /** The log of changes on disk; only for callers that work on files. */
  readonly #disk: DiskLog | undefined;
  /** The device in the states of this machine. */
  readonly device: string;
  readonly #threads: KnownThreads;

  constructor(database: Database, options: ThreadStoreOptions) {
    this.#database = database;
    this.#operations = new OperationRows(database);
    this.#lines = new LineRows(database, this.#operations);
    this.#threads = new KnownThreads(database);
    this.#outbox = options.outbox;
    this.#disk = options.disk;
    this.device = options.device ?? EMPTY_STATE.device;
    const spaces = new SpaceRows(database, options.few);
    const rows = { spaces, operations: this.#operations, lines: this.#lines, threads: this.#threads };
    this.#states = new ThreadStates(database, rows, { ...EMPTY_STATE, device: this.device });
    this.#rows = new ThreadRows(
      database,
      { ...rows, states: this.#states, snapshots: new SnapshotLog(database) },
      { outbox: options.outbox, few: options.few ?? FEW },
    );
  }

  /** Records the workspace of a thread on this machine, before its first operation. */
  place(thread: string, root: string): void {
    const { changes } = this.#database.run(
      "INSERT OR IGNORE INTO places (thread, workspace_root) VALUES (?, ?)",
      thread,
      root,
    );
    if (changes > 0) this.#disk?.begin(root, thread);
  }

  /** Gives a thread whose workspace is not on this machine another one. */
  move(thread: string, root: string): void {
    this.#database.transaction(() => {
      this.#database.run("UPDATE places SET workspace_root = ? WHERE thread = ?", root, thread);
      this.#database.run("UPDATE threads SET workspace_root = ? WHERE id = ?", root, thread);
      this.#disk?.begin(root, thread);
    });
  }

  #root(thread: string): string | undefined {
    const row = this.#database.prepare("SELECT workspace_root FROM places WHERE thread = ?").get(thread);
    return row?.["workspace_root"] as string | undefined;
  }

  /**
   * Commits the operation that `decide` makes from the current state; a refusal commits nothing. `told` is called with
   * the state after the operation, inside the transaction.
   */
  change(thread: string, decide: (history: History) => Built, told?: (after: State) => void): Operation | Refusal {
    return this.#database.transaction(() => {
      const present = this.#states.present(thread);
      const built = decide(present.history);
      if (built.kind === "refused") return built;
      const { operation } = built;
      this.#commit(thread, present, operation, (after) => {
        this.#disk?.add(() => this.#root(thread), thread, operation, present.history.state, after);
        told?.(after);
      });
      return operation;
    });
  }

  /**
   * Stores an operation that was committed elsewhere, unchanged, after its parents. It has no effect until `forward`.
   * It is queued for sync.
   */
  receive(thread: string, operation: Operation, stored: StoredOperation): void {
    this.#operations.insert(thread, [{ operation, stored }]);
    this.#noteForSync(thread, operation);
  }

  /** As `receive`, with operations that the sync server has. */
  receiveSynced(thread: string, operations: readonly ReceivedOperation[]): void {
    this.#operations.insert(thread, operations);
  }

  /** The hash of an operation in this store. */
  hashOf(operation: OperationId): string {
    return this.#operations.hashOf(operation);
  }

  /**
   * Runs work that moves a thread to a head from elsewhere. The thread does not become the one that was changed last on
   * this machine, so the commands of the user go on with the thread that they were about.
   */
  adopt(thread: string, work: () => void): void {
    this.#database.transaction(() => {
      const sequence = this.get(thread)?.sequence ?? 0;
      work();
      this.#database.run("UPDATE threads SET sequence = ? WHERE id = ?", sequence, thread);
    });
  }

  /** Moves a thread forward to a received operation that follows its head. */
  forward(thread: string, head: OperationId): void {
    this.#database.transaction(() => {
      const { state } = this.#states.present(thread).history;
      const line = this.#line(head, state.head);
      // Our head is not on its first line: the other side has merged it.
      if (line.length > 0 && line[0]?.parents[0] !== (state.head ?? undefined)) this.#rows.clear(thread);
      this.follow(thread, line);
    });
  }

  /** Moves a thread forward by stored operations of which each follows the one before, and the first its head. */
  follow(thread: string, line: readonly Operation[]): void {
    this.#database.transaction(() => {
      for (const run of runsOf(line)) {
        const hash = this.#operations.hashOf((run.at(-1) ?? run[0]).id);
        this.#write(thread, this.#states.present(thread), run, hash);
      }
    });
  }

  /** The operations that lead to the head by first parents, oldest first; a merge brought in the others. */
  line(thread: string): Operation[] {
    const last = "SELECT id FROM operations WHERE thread = ? ORDER BY version DESC, sequence DESC LIMIT 1";
    const head = this.#database.prepare(last).get(thread)?.["id"];
    return head === undefined ? [] : this.#line(head as string, null);
  }

  /** Whether the index of operations that lead to the head is complete (`retake doctor`). */
  lineIsWhole(thread: string): boolean {
    return this.#lines.isWhole(thread, this.line(thread));
  }

  /** Reads a thread at one moment. */
  read<T>(thread: string, look: (history: History) => T): T {
    return this.#database.snapshot(() => {
      const { history } = this.#states.present(thread);
      if (history.state.head === null)
        throw new StoreError("unknown-thread", `There is no thread ${thread} in this store.`);
      return look(history);
    });
  }

  /**
   * Computes the state after an operation in parts, so that others are served in between: reading it is quick then. When
   * the thread keeps changing meanwhile, the reader does the rest.
   */
  async reach(thread: string, operation: OperationId): Promise<void> {
    const parts = 2 * Math.ceil((this.get(thread)?.version ?? 0) / AT_ONCE);
    for (let part = 0; part < parts; part += 1) {
      if (this.#database.snapshot(() => this.#states.approach(thread, operation, AT_ONCE))) return;
      await nextTurn();
    }
  }

  /** All threads, the last committed on this machine first; with `root`, only those of that workspace. */
  list(root?: string): ThreadSummary[] {
    const where = root === undefined ? "" : "WHERE workspace_root = ?";
    const rows = this.#database
      .prepare(`SELECT ${SUMMARY} FROM threads ${where} ORDER BY sequence DESC, updated_at DESC`)
      .all(...(root === undefined ? [] : [root]));
    return rows.map((row) => summaryOf(row, !this.#outbox));
  }

  /** The workspaces of all threads. */
  roots(): string[] {
    const rows = this.#database.prepare("SELECT DISTINCT workspace_root AS root FROM threads ORDER BY root").all();
    return rows.map((row) => row["root"] as string);
  }

  get(thread: string): ThreadSummary | undefined {
    const row = this.#database.prepare(`SELECT ${SUMMARY} FROM threads WHERE id = ?`).get(thread);
    return row && summaryOf(row, !this.#outbox);
  }

  has(thread: string): boolean {
    return this.#database.prepare("SELECT 1 FROM threads WHERE id = ?").get(thread) !== undefined;
  }

  /** The threads of a workspace in which an agent of this machine is working, or was when its process was killed. */
  working(root: string): string[] {
    return this.#database
      .prepare(
        `SELECT DISTINCT threads.id FROM own_turns JOIN threads ON threads.id = own_turns.thread
         WHERE workspace_root = ? ORDER BY threads.id`,
      )
      .all(root)
      .map((row) => row["id"] as string);
  }

  /** The turns of a thread that run on this machine, or did when their process was killed. */
  ownTurns(thread: string): ReadonlySet<string> {
    const rows = this.#database.prepare("SELECT turn FROM own_turns WHERE thread = ?").all(thread);
    return new Set(rows.map((row) => row["turn"] as string));
  }

  /** None of its turns runs here any more. */
  forgetOwnTurns(thread: string): void {
    this.#database.run("DELETE FROM own_turns WHERE thread = ?", thread);
  }

  hasOperation(thread: string, id: OperationId): boolean {
    return this.#database.prepare("SELECT 1 FROM operations WHERE id = ? AND thread = ?").get(id, thread) !== undefined;
  }

  /** Those of some operations that a thread has. */
  operationsIn(thread: string, ids: readonly OperationId[]): ReadonlySet<OperationId> {
    const rows = this.#database
      // Searched by the ids, and not by the thread (`+`), which may have many.
      .prepare("SELECT id FROM operations WHERE id IN (SELECT value FROM json_each(?)) AND +thread = ?")
      .all(JSON.stringify(ids), thread);
    return new Set(rows.map((row) => row["id"] as string));
  }

  /** Every thread that some operation belongs to, also when its row is lost. */
  everyId(): string[] {
    return this.#database
      .prepare("SELECT DISTINCT thread AS id FROM operations UNION SELECT id FROM threads ORDER BY id")
      .all()
      .map((row) => row["id"] as string);
  }

  /** The operations of a thread, in the order of their commits. */
  operations(thread: string): Generator<Operation> {
    return this.#operations.all(thread);
  }

  /** Rebuilds the rows of a thread from its operations, which stay unchanged (`retake doctor --repair`). */
  rebuild(thread: string): void {
    this.#database.transaction(() => {
      const line = this.line(thread);
      this.#rows.clear(thread);
      this.follow(thread, line);
    });
  }

  /** The operations after `after` that lead to `head`, oldest first; all of them when `after` is not among them. */
  #line(head: OperationId, after: OperationId | null): Operation[] {
    const line: Operation[] = [];
    for (let at: OperationId | undefined = head; at !== undefined && at !== after; at = line.at(-1)?.parents[0])
      line.push(this.#operations.required(at));
    return line.reverse();
  }

  /** Checks that every operation is unchanged since its commit, and in its original order (`retake doctor`). */
  verify(thread: string): { readonly operation: OperationId; readonly problem: string }[] {
    return this.#database.snapshot(() => this.#operations.verify(thread));
  }

  #commit(thread: string, present: Present, operation: Operation, told?: (after: State) => void): void {
    const { known, history } = present;
    const hash = this.#operations.add(thread, operation, { id: history.state.head, hash: known?.hash });
    this.#write(thread, present, [operation], hash, told);
    this.#noteOwnTurn(thread, operation);
    noteInQueue(this.#database, thread, operation);
    this.#noteForSync(thread, operation);
  }

  #noteOwnTurn(thread: string, { kind, turn_id }: Operation): void {
    if (kind === "turn-started")
      this.#database.run("INSERT OR IGNORE INTO own_turns (turn, thread) VALUES (?, ?)", turn_id ?? "", thread);
    if (kind === "turn-finished") this.#database.run("DELETE FROM own_turns WHERE turn = ?", turn_id ?? "");
  }

  #write(
    thread: string,
    present: Present,
    operations: readonly [Operation, ...Operation[]],
    hash: string,
    told?: (after: State) => void,
  ): void {
    const after = this.#rows.write(thread, present, operations, told);
    if (present.known) this.#threads.follow(thread, present.known, operations, hash, after);
  }

  #noteForSync(thread: string, { id }: Operation): void {
    if (this.#outbox) this.#database.run("INSERT INTO outbox (operation, thread) VALUES (?, ?)", id, thread);
  }
}

/** Parts of a line whose rows can be written at once: see `ThreadRows.write`. */
function* runsOf(line: readonly Operation[]): Generator<readonly [Operation, ...Operation[]]> {
  let run: Operation[] = [];
  for (const [index, operation] of line.entries()) {
    run.push(operation);
    const next = line[index + 1];
    const goesOn = next && !next.diff.spaces && !operation.diff.spaces && run.length < LONGEST_RUN;
    if (goesOn) continue;
    yield run as [Operation, ...Operation[]];
    run = [];
  }
}

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
