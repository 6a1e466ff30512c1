/**
 * One directory, and all that threads do with its files: turns, undo and everything else that restores. It decides
 * nothing: core does, and the parts below carry it out.
 *
 * The files of a part of the store (a capturing thread, a watcher) are opened by the first call that needs them.
 */
import {
  type Actor,
  type Built,
  type ConflictPolicy,
  type Context,
  createThread,
  type FilesRequest,
  type History,
  type OperationId,
  planJump,
  planRedo,
  planRestore,
  planRevert,
  planUndo,
  type Refusal,
  type RevertRequest,
  staleRefusal,
  type TakeId,
  type ThreadOrigin,
  type UndoRequest,
} from "@retake/core";
import {
  type BytePath,
  bytePath,
  type Change,
  leftStages,
  RestoreJournal,
  resolveRoot,
  stageTag,
  type TaskOptions,
  type WorkspaceFiles,
} from "@retake/workspace";
import type { CollectedStores, CollectRequest } from "../gc/collect-stores.ts";
import { type AgentRequest, AgentWork, type RetryRequest } from "../runner/agent-work.ts";
import type { Compressed, CompressRequest } from "../runner/compress.ts";
import { recoverStore } from "../runner/recover-store.ts";
import type { TurnResult } from "../runner/turn.ts";
import type { Identity } from "../store/identity.ts";
import { type ChangeOptions, openStore, type Store, type StoreOptions } from "../store/open-store.ts";
import type { ThreadStore, ThreadSummary } from "../store/thread-store.ts";
import type { Busy } from "../undo/hold-workspace.ts";
import { onlyFiles } from "../undo/only-files.ts";
import { type AtWork, PartsAtWork } from "../undo/parts-at-work.ts";
import type { Watched } from "../undo/restore-with-commit.ts";
import type { ChangedWithFiles, TakeBack, TakenBack } from "../undo/take-back.ts";

export interface WorkspaceOptions {
  /** The directory to work in. */
  readonly root: string;
  /** The process stays and answers others meanwhile: a thread captures the files, however few they are. */
  readonly stays?: boolean;
  /** Called when something has to wait until another process is done with this workspace. */
  readonly onWait?: () => void;
}

export interface TakeBackOptions extends ChangeOptions, Watched {
  readonly dryRun?: boolean;
  readonly onConflict?: ConflictPolicy;
  /** Only these files, and what is in them where they are directories. */
  readonly paths?: readonly BytePath[];
  /** Of these files only these changes, by the numbers that `diffFiles` gives them (X3). */
  readonly hunks?: ReadonlyMap<BytePath, readonly number[]>;
}

/** Where a new or imported thread goes. */
export interface ImportPlace {
  readonly threads: ThreadStore;
  readonly files: WorkspaceFiles;
  readonly identity: Identity;
  readonly origin: Omit<ThreadOrigin, "id">;
}

export function openWorkspace(store: Store, options: WorkspaceOptions): Workspace {
  return new Workspace(store, options);
}

/** For a process that works in one directory: the store is closed with the workspace. */
export function openStoreAndWorkspace(options: StoreOptions & WorkspaceOptions): Workspace {
  return new Workspace(openStore(options), { ...options, closesStore: true });
}

export class Workspace {
  readonly store: Store;
  readonly root: string;
  readonly #atWork: PartsAtWork;
  readonly #agent: AgentWork;
  readonly #closesStore: boolean;

  constructor(
    store: Store,
    { root, stays, onWait, closesStore = false }: WorkspaceOptions & { readonly closesStore?: boolean },
  ) {
    this.store = store;
    this.#closesStore = closesStore;
    this.root = resolveRoot(root);
    this.#atWork = new PartsAtWork(store, {
      ...{ root: this.root, stays, onWait },
      recover: (part, files, lock) =>
        recoverStore({ store: part, root: this.root, identity: store.identity, workspace: files }, lock),
    });
    this.#agent = new AgentWork({ root: this.root, store, atWork: this.#atWork });
  }

  /** The threads that work here and are not deleted, the one that was changed last first. */
  threads(): ThreadSummary[] {
    return this.store.threads(this.root);
  }

  /** The thread that commands act on unless they name another. */
  currentThread(): ThreadSummary | undefined {
    return this.store.currentThread(this.root);
  }

  /** A private thread never leaves the machine, and stays private. The first capture of a workspace may take long. */
  async newThread(title: string, options: { readonly private?: boolean } & TaskOptions = {}): Promise<string> {
    const { identity } = this.store;
    const id = `T-${identity.id()}`;
    const { threads, files, origin: here } = this.importPlace(options);
    const tree = (await files.capture(options)).id;
    const origin = { ...here, id };
    files.database.transaction(() => {
      threads.place(id, this.root);
      const made = threads.change(id, () =>
        createThread(this.store.context(), {
          ...{ origin, title, take: identity.id(), tree, device: threads.device },
        }),
      );
      if ("code" in made) throw new Error(made.message);
    });
    return id;
  }

  importPlace(options: { readonly private?: boolean }): ImportPlace {
    const part = options.private ? this.store.makePrivate() : this.store.shared;
    const here = { workspace_root: this.root, cwd: this.root, retake_version: this.store.version };
    const origin = { ...here, private: options.private ?? false };
    return { threads: part.threads, files: this.#atWork.in(part).workspace, identity: this.store.identity, origin };
  }

  /** How the files went from one tree of a thread to another. */
  changedFiles(thread: string, before: string, after: string): readonly Change[] {
    if (before === "" || after === "" || before === after) return [];
    return this.files(thread).changes(before, after);
  }

  /** The files as the thread's part of the store knows them: captures are named in it alone. */
  files(thread: string): WorkspaceFiles {
    return this.#at(thread).workspace;
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

  /** Goes to the moment right after an operation, in the take that it led to or in another one. */
  jump(
    thread: string,
    { operation, take }: { readonly operation: OperationId; readonly take?: TakeId },
    options: TakeBackOptions = {},
  ): Promise<TakenBack> {
    const new_take = this.store.identity.id();
    const request = { operation, new_take, ...(take === undefined ? {} : { take }) };
    return this.#takeBack(thread, (history) => planJump(history, request), options);
  }

  /** Puts the files of a snapshot back; see `snapshots/restore-snapshot.ts`. */
  restore(thread: string, request: FilesRequest, options: TakeBackOptions = {}): Promise<TakenBack> {
    return this.#takeBack(thread, (history) => planRestore(history, request), options);
  }

  /** One turn. Holds the workspace as long as it runs. */
  run(request: AgentRequest): Promise<TurnResult | Busy | Refusal> {
    return this.#agent.run(request);
  }

  retry(request: RetryRequest): Promise<TurnResult | TakenBack> {
    return this.#agent.retry(request);
  }

  compress(thread: string, request: Omit<CompressRequest, "tools">): Promise<Compressed> {
    return this.#agent.compress(thread, request);
  }

  /**
   * L9, X9: finishes what killed processes left half done, so that what is read and what is on disk agree, and a later
   * change is not taken for the killed tool's doing. Waits for a restore that goes on elsewhere, but not for a turn: the
   * process that holds the workspace runs it or ends it, and everything is read as it is.
   */
  async finishKilled(): Promise<void> {
    const root = bytePath(this.root);
    const restores = this.store.parts().some(({ database, directory }) => {
      return new RestoreJournal(database).hasUnfinished(root) || leftStages({ root }, stageTag(directory)).length > 0;
    });
    if (restores) await this.finishInterrupted();
    else if (this.store.parts().some(({ threads }) => threads.working(this.root).length > 0))
      // A turn that cannot be ended now, on a full disk for one, does not stop a reader; a writer gets the error.
      await this.finishInterrupted(AbortSignal.abort()).catch(() => undefined);
  }

  /** Finishes what killed processes left half done here, as every command does that changes files. */
  async finishInterrupted(signal?: AbortSignal): Promise<Busy | undefined> {
    const done = await this.#atWork.hold(async () => undefined, signal);
    return done?.kind === "busy" ? done : undefined;
  }

  /** Gives up the files of old history, and what nothing names. Only when a user asks for it. */
  async collectGarbage(request: CollectRequest = {}): Promise<CollectedStores | Busy> {
    const { collectStores } = await import("../gc/collect-stores.ts");
    return collectStores({ store: this.store, atWork: this.#atWork, root: this.root }, request);
  }

  async close(): Promise<void> {
    await this.#agent.close();
    await this.#atWork.close();
    if (this.#closesStore) this.store.close();
  }

  get #actor(): Actor {
    return this.store.actor;
  }

  #takeBack(
    thread: string,
    decide: Parameters<TakeBack["carryOut"]>[0]["decide"],
    options: TakeBackOptions,
  ): Promise<TakenBack> {
    const fresh: typeof decide = (history) => staleRefusal(history, options.expectedVersion) ?? decide(history);
    return this.#at(thread).back.carryOut({ thread, actor: this.#actor, decide: fresh, ...options });
  }

  #at(thread: string): AtWork {
    return this.#atWork.in(this.store.partOf(thread));
  }
}
