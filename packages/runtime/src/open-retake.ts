/**
 * Retake for one workspace: what every screen calls. It decides nothing: the core does, and the
 * parts below carry it out.
 *
 * Every thread is in one of two stores (`stores.ts`) and is worked on there. The shared store is opened at
 * once, a store's workspace (a thread that captures, a watcher) only by what needs files.
 */
import { mkdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Actor,
  type Built,
  type ConflictPolicy,
  type Context,
  createThread,
  type FilesRequest,
  type History,
  type Operation,
  planJump,
  planRedo,
  planRestore,
  planRetry,
  planRevert,
  planUndo,
  type Refusal,
  type RetryPlan,
  type RevertRequest,
  type State,
  staleRefusal,
  type ThreadOrigin,
  type UndoRequest,
} from "@retake/core";
import {
  type BytePath,
  bytePath,
  CaptureLog,
  type Change,
  type DescribedCapture,
  describeCapture,
  leftStages,
  RestoreJournal,
  resolveRoot,
  stageTag,
  type TaskOptions,
  type Workspace,
} from "@retake/workspace";
import { CurrentThread } from "./current-thread.ts";
import type { Directories } from "./directories.ts";
import type { CollectedStores, CollectRequest } from "./gc/collect-stores.ts";
import type { Store } from "./open-store.ts";
import { type AgentRequest, AgentWork, type RetryRequest } from "./runner/agent-work.ts";
import type { Compressed, CompressRequest } from "./runner/compress.ts";
import type { TurnResult } from "./runner/turn.ts";
import { type FoundThread, foundThread } from "./search/found-thread.ts";
import { searchQuery } from "./search/search-query.ts";
import type { SearchRequest } from "./search/search-request.ts";
import { byRelevance, searchThreads } from "./search/search-threads.ts";
import { OperationLog } from "./store/operation-log.ts";
import { SnapshotLog } from "./store/snapshot-log.ts";
import { readSavedPoints, type SavedPoint } from "./store/thread-catalogue.ts";
import type { ThreadStore, ThreadSummary } from "./store/thread-store.ts";
import { Stores } from "./stores.ts";
import { type AtWork, StoresAtWork } from "./stores-at-work.ts";
import type { Busy } from "./undo/hold-workspace.ts";
import { Identity } from "./undo/identity.ts";
import { onlyFiles } from "./undo/only-files.ts";
import type { Watched } from "./undo/restore-with-commit.ts";
import type { ChangedWithFiles, TakeBack, TakenBack } from "./undo/take-back.ts";

export interface RetakeOptions {
  readonly directories: Directories;
  /** The directory to work in. */
  readonly root: string;
  readonly version: string;
  readonly actor?: Actor;
  /** The process stays and answers others meanwhile: files are captured by a thread, however few they are. */
  readonly stays?: boolean;
  /** Told when something has to wait until another process is done with this workspace. */
  readonly onWait?: () => void;
}

export interface ChangeOptions {
  /** Who changes it, if not whom Retake was opened for. */
  readonly actor?: Actor;
  /** The version that the caller saw: refused if more than notes came since. */
  readonly expectedVersion?: number;
}

export interface TakeBackOptions extends ChangeOptions, Watched {
  readonly dryRun?: boolean;
  readonly onConflict?: ConflictPolicy;
  /** Only these files, and what is in them where they are directories. */
  readonly paths?: readonly BytePath[];
  /** Of these files only these changes, by the numbers that `diffFiles` gives them (X3). */
  readonly hunks?: ReadonlyMap<BytePath, readonly number[]>;
}

export interface ImportPlace {
  readonly threads: ThreadStore;
  readonly workspace: Workspace;
  readonly identity: Identity;
  readonly origin: Omit<ThreadOrigin, "id">;
}

export function openRetake(options: RetakeOptions): Retake {
  mkdirSync(options.directories.state, { recursive: true, mode: 0o700 });
  return new Retake(options, new Stores(options.directories.data));
}

export class Retake {
  readonly root: string;
  readonly directories: Directories;
  readonly identity = new Identity();
  readonly #options: RetakeOptions;
  readonly #stores: Stores;
  readonly #atWork: StoresAtWork;
  readonly #actor: Actor;
  readonly #current: CurrentThread;
  readonly #agent: AgentWork;

  constructor(options: RetakeOptions, stores: Stores) {
    const { state } = options.directories;
    this.#options = options;
    this.directories = options.directories;
    this.#stores = stores;
    this.#actor = options.actor ?? { kind: "user" };
    this.root = resolveRoot(options.root);
    this.#atWork = new StoresAtWork(stores, {
      ...{ root: this.root, state, identity: this.identity, onWait: options.onWait, stays: options.stays },
    });
    this.#current = new CurrentThread(state, this.root);
    this.#agent = new AgentWork({
      ...{ root: this.root, directories: this.directories, identity: this.identity, actor: this.#actor },
      atWork: this.#atWork,
      at: (thread) => this.#at(thread),
      read: (thread, look) => this.read(thread, ({ state }) => look(state)),
      change: (thread, build) => this.change(thread, build),
    });
  }

  /** The threads of this workspace that are not deleted, the one that was changed last first. */
  threads(): ThreadSummary[] {
    return this.everyThread(this.root).filter((thread) => !thread.deleted);
  }

  /** Threads, deleted ones too, the one that was changed last first; with `root`, only those of that workspace. */
  everyThread(root?: string): ThreadSummary[] {
    const lists = this.#stores.all().map(({ threads }) => threads.list(root));
    return inOneOrder(lists);
  }

  /** A thread by its id, deleted or not, of whichever workspace. */
  thread(id: string): ThreadSummary | undefined {
    return this.#stores.find(id)?.threads.get(id);
  }

  /** Why a thread that is not here cannot be read, where it is damaged and was put aside. */
  damageOf(id: string): Error | undefined {
    return this.#stores.damageOf(id);
  }

  isPrivate(thread: string): boolean {
    return this.#store(thread) !== this.#stores.shared;
  }

  /** The thread that commands act on unless they name another. */
  currentThread(): ThreadSummary | undefined {
    return this.#current.among(this.threads());
  }

  chooseThread(thread: string): void {
    const last = (store: Store | undefined) => (store ? new OperationLog(store.database).last() : 0);
    this.#current.choose(thread, { shared: last(this.#stores.shared), private: last(this.#stores.private) });
  }

  /** L11: the threads that fit, of all workspaces, the best first; `total` says how many there are beyond the limit. */
  async search(
    request: SearchRequest,
    limit?: number,
  ): Promise<{ readonly threads: readonly FoundThread[]; readonly total: number }> {
    const found = [];
    for (const store of this.#stores.all())
      for (const each of await searchThreads(store, request)) found.push({ ...each, store });
    const query = searchQuery(request.words ?? "");
    const threads: FoundThread[] = [];
    for (const { store, ...ranked } of found.sort(byRelevance).slice(0, limit)) {
      threads.push(foundThread(store, ranked, query));
      // What they say may be long.
      await nextTurn();
    }
    return { threads, total: found.length };
  }

  /** The named saves of all threads; `sessions.ts` is what they mean. */
  savedPoints(): SavedPoint[] {
    return this.#stores.all().flatMap(({ database }) => readSavedPoints(database));
  }

  /** A private thread never leaves the machine, and stays private. The first capture of a workspace may take long. */
  async newThread(title: string, options: { readonly private?: boolean } & TaskOptions = {}): Promise<string> {
    const id = `T-${this.identity.id()}`;
    const { threads, workspace, origin: here } = this.importPlace(options);
    const tree = (await workspace.capture(options)).id;
    const origin = { ...here, id };
    workspace.database.transaction(() => {
      threads.place(id, this.root);
      const made = threads.change(id, () =>
        createThread(this.#context(), {
          ...{ origin, take: this.identity.id(), name: title, tree, device: threads.device },
        }),
      );
      if ("code" in made) throw new Error(made.message);
    });
    return id;
  }

  /** Where a thread comes to be, by its birth or from elsewhere. */
  importPlace(options: { readonly private?: boolean }): ImportPlace {
    const store = options.private ? this.#stores.makePrivate() : this.#stores.shared;
    const { workspace } = this.#atWork.in(store);
    const here = { workspace_root: this.root, cwd: this.root, retake_version: this.#options.version };
    const origin = { ...here, private: options.private ?? false };
    return { threads: store.threads, workspace, identity: this.identity, origin };
  }

  read<T>(thread: string, look: (history: History) => T): T {
    return this.#store(thread).threads.read(thread, look);
  }

  hasOperation(thread: string, id: string): boolean {
    return this.#store(thread).threads.hasOperation(thread, id);
  }

  /** The ids of a thread's operations that begin so, in order. */
  operationIds(thread: string, beginning = ""): string[] {
    return this.#store(thread).threads.operationIds(thread, beginning);
  }

  /** How the files went from one tree of a thread to another. */
  changedFiles(thread: string, before: string, after: string): readonly Change[] {
    if (before === "" || after === "" || before === after) return [];
    return this.workspace(thread).changes(before, after);
  }

  /** The files of this workspace as the thread's store knows them: captures are named in it alone. */
  workspace(thread: string): Workspace {
    return this.#at(thread).workspace;
  }

  /** The last capture of the workspace in the thread's store, which is read and nothing captured. */
  lastCapture(thread: string): DescribedCapture | undefined {
    const { database } = this.#store(thread);
    const last = new CaptureLog(database).lastOf(Buffer.from(this.root));
    return last && describeCapture(database, last.id);
  }

  /** Commits an operation that leaves the files alone. */
  change(
    thread: string,
    build: (state: State, context: Context) => Built,
    options: ChangeOptions = {},
    told?: (after: State) => void,
  ): Operation | Refusal {
    return this.#store(thread).threads.change(
      thread,
      (history) => staleRefusal(history, options.expectedVersion) ?? build(history.state, this.#context(options.actor)),
      told,
    );
  }

  /** Commits what `work` changes in threads that are not private all at once, with one flush. */
  together(work: () => void): void {
    this.#stores.shared.database.transaction(work);
  }

  /** Commits an operation after which other files should be on disk: a branch, a switch, a deleted take. */
  changeWithFiles(
    thread: string,
    build: (history: History, context: Context) => Built,
    options: TakeBackOptions = {},
  ): Promise<ChangedWithFiles> {
    const decide: typeof build = (history, context) =>
      staleRefusal(history, options.expectedVersion) ?? build(history, context);
    return this.#at(thread).back.change({ thread, actor: this.#actor, build: decide, ...options });
  }

  undo(thread: string, request: UndoRequest, options: TakeBackOptions = {}): Promise<TakenBack> {
    const policy = options.onConflict ? { on_conflict: options.onConflict } : {};
    return this.#takeBack(
      thread,
      (history) => {
        const plan = planUndo(history, { ...request, ...policy });
        return plan.kind === "plan" && (options.paths || options.hunks) ? onlyFiles(plan) : plan;
      },
      options,
    );
  }

  redo(thread: string, count: number, options: TakeBackOptions = {}): Promise<TakenBack> {
    const policy = options.onConflict ? { on_conflict: options.onConflict } : {};
    return this.#takeBack(thread, (history) => planRedo(history, { count, ...policy }), options);
  }

  revert(thread: string, request: RevertRequest, options: TakeBackOptions = {}): Promise<TakenBack> {
    const policy = options.onConflict ? { on_conflict: options.onConflict } : {};
    return this.#takeBack(
      thread,
      (history) => {
        const plan = planRevert(history, { ...request, ...policy });
        return plan.kind === "plan" && (options.paths || options.hunks) ? onlyFiles(plan) : plan;
      },
      options,
    );
  }

  jump(thread: string, operation: string, options: TakeBackOptions = {}): Promise<TakenBack> {
    return this.#takeBack(thread, (history) => planJump(history, { operation, new_take: this.identity.id() }), options);
  }

  /** Puts the files of a snapshot back; see `snapshots/restore-snapshot.ts`. */
  restore(thread: string, request: FilesRequest, options: TakeBackOptions = {}): Promise<TakenBack> {
    return this.#takeBack(thread, (history) => planRestore(history, request), options);
  }

  /** The snapshots of the store that a thread is in. */
  snapshotLog(thread: string): SnapshotLog {
    return new SnapshotLog(this.#store(thread).database);
  }

  /** Those of every store. */
  snapshotLogs(): readonly SnapshotLog[] {
    return this.#stores.all().map(({ database }) => new SnapshotLog(database));
  }

  /** One turn. Holds the workspace as long as it runs. */
  run(request: AgentRequest): Promise<TurnResult | Busy | Refusal> {
    return this.#agent.run(request);
  }

  /** What `retry` would try again. */
  planRetry(thread: string): RetryPlan | Refusal {
    return this.read(thread, (history) => planRetry(history));
  }

  retry(request: RetryRequest): Promise<TurnResult | TakenBack> {
    return this.#agent.retry(request);
  }

  compress(thread: string, request: Omit<CompressRequest, "tools">): Promise<Compressed> {
    return this.#agent.compress(thread, request);
  }

  /**
   * L9, X9: finishes what killed processes left half done, so that what is read and what is on disk agree, and what
   * changes from now on is not taken for the killed tool's doing. A restore that goes on elsewhere is waited for. A turn is
   * not: whoever holds the workspace runs it, or ends it, and everything is read as it is.
   */
  async finishKilled(): Promise<void> {
    const root = bytePath(this.root);
    const restores = this.#stores.all().some(({ database, directory }) => {
      return new RestoreJournal(database).hasUnfinished(root) || leftStages({ root }, stageTag(directory)).length > 0;
    });
    if (restores) await this.finishInterrupted();
    else if (this.#stores.all().some(({ threads }) => threads.working(this.root).length > 0))
      // A turn that cannot be ended now, on a full disk for one, is in nobody's way who reads; who changes something is told.
      await this.finishInterrupted(AbortSignal.abort()).catch(() => undefined);
  }

  /** Finishes what killed processes left half done here, as every command does that changes files. */
  async finishInterrupted(signal?: AbortSignal): Promise<Busy | undefined> {
    const done = await this.#atWork.hold(async () => undefined, signal);
    return done?.kind === "busy" ? done : undefined;
  }

  /** Gives up the files of old history, and what nothing names. Never by itself: someone asks for it. */
  async collectGarbage(request: CollectRequest = {}): Promise<CollectedStores | Busy> {
    const { collectStores } = await import("./gc/collect-stores.ts");
    const parts = { stores: this.#stores, atWork: this.#atWork, root: this.root };
    return collectStores({ ...parts, state: this.#options.directories.state }, request, this.identity.now());
  }

  async close(): Promise<void> {
    await this.#agent.close();
    await this.#atWork.close();
    this.#stores.close();
  }

  #takeBack(
    thread: string,
    decide: Parameters<TakeBack["carryOut"]>[0]["decide"],
    options: TakeBackOptions,
  ): Promise<TakenBack> {
    const fresh: typeof decide = (history) => staleRefusal(history, options.expectedVersion) ?? decide(history);
    return this.#at(thread).back.carryOut({ thread, actor: this.#actor, decide: fresh, ...options });
  }

  #store(thread: string): Store {
    return this.#stores.of(thread);
  }

  #at(thread: string): AtWork {
    return this.#atWork.in(this.#store(thread));
  }

  #context(actor: Actor = this.#actor): Context {
    return this.identity.context(actor);
  }
}

/** Each store's threads in the order of that store. Between two stores there are only their times. */
function inOneOrder([shared = [], own = []]: readonly ThreadSummary[][]): ThreadSummary[] {
  const all: ThreadSummary[] = [];
  let next = 0;
  for (const thread of shared) {
    for (let each = own[next]; each && each.updated_at > thread.updated_at; each = own[next]) {
      all.push(each);
      next += 1;
    }
    all.push(thread);
  }
  return [...all, ...own.slice(next)];
}
