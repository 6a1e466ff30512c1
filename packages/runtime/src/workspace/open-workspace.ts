/**
 * One directory, and everything that threads do with its files: turns, undo and all other restores. It decides nothing:
 * core does, and the parts below carry it out.
 *
 * The files of a part of the store (a capturing thread, a watcher) are opened by the first call that needs them.
 */
import {
  type Actor,
  type Built,
  type Context,
  createThread,
  type FilesRequest,
  type History,
  isRefusal,
  type Operation,
  type OperationId,
  planJump,
  planRedo,
  planRevert,
  planSnapshotRestore,
  planUndo,
  type Refusal,
  type Resolution,
  type RevertRequest,
  refuse,
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
import { outputsDirectory } from "../runner/overflow-file.ts";
import { recoverStore } from "../runner/recover-store.ts";
import type { TurnResult } from "../runner/turn.ts";
import { aliasesIn } from "../store/directories.ts";
import type { Identity } from "../store/identity.ts";
import { type ChangeOptions, openStore, type Store, type StoreOptions } from "../store/open-store.ts";
import type { ThreadStore, ThreadSummary } from "../store/thread-store.ts";
import type { Confinement } from "../tools/confine/confinement.ts";
import type { ConflictOptions } from "../undo/conflict-options.ts";
import type { Busy } from "../undo/hold-workspace.ts";
import { onlyFiles } from "../undo/only-files.ts";
import { type AtWork, PartsAtWork } from "../undo/parts-at-work.ts";
import type { ProgressOptions } from "../undo/restore-with-commit.ts";
import type { ChangedWithFiles, TakeBack, TakeBackResult } from "../undo/take-back.ts";

export interface WorkspaceOptions {
  /** The directory to work in. */
  readonly root: string;
  /** The process is long-lived and answers others meanwhile: a separate thread captures the files, however few. */
  readonly stays?: boolean;
  /** Called when something has to wait until another process is done with this workspace. */
  readonly onWait?: () => void;
}

export interface TakeBackOptions extends ChangeOptions, ConflictOptions, ProgressOptions {
  readonly dryRun?: boolean;
  /** Only these files, and everything in them when they are directories. */
  readonly paths?: readonly BytePath[];
  /** Only these changes of these files, by the numbers of `diffFiles` (X3). */
  readonly hunks?: ReadonlyMap<BytePath, readonly number[]>;
}

/** Where a new or imported thread is placed. */
export interface ImportPlace {
  readonly threads: ThreadStore;
  readonly files: WorkspaceFiles;
  readonly identity: Identity;
  readonly origin: Omit<ThreadOrigin, "id">;
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
    this.root = resolveRoot(root, aliasesIn(store.directories));
    const outputs = outputsDirectory(store.directories.state);
    this.#atWork = new PartsAtWork(store, {
      root: this.root,
      stays,
      onWait,
      recover: (part, files, lock) =>
        recoverStore({ store: part, root: this.root, identity: store.identity, outputs, workspace: files }, lock),
    });
    this.#agent = new AgentWork({ root: this.root, store, atWork: this.#atWork });
  }

  /** The threads of this workspace that are not deleted, the last changed first. */
  threads(): ThreadSummary[] {
    return this.store.threads(this.root);
  }

  /** The thread that commands act on by default. */
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
      const outcome = threads.change(id, () =>
        createThread(this.store.context(), {
          origin,
          title,
          take: identity.id(),
          tree,
          device: threads.device,
        }),
      );
      if (isRefusal(outcome)) throw new Error(outcome.message);
    });
    return id;
  }

  importPlace(options: { readonly private?: boolean }): ImportPlace {
    const part = options.private ? this.store.makePrivate() : this.store.shared;
    const here = { workspace_root: this.root, cwd: this.root, retake_version: this.store.version };
    const origin = { ...here, private: options.private ?? false };
    return { threads: part.threads, files: this.#atWork.in(part).workspace, identity: this.store.identity, origin };
  }

  /** The changes between two trees of a thread. */
  changedFiles(thread: string, before: string, after: string): readonly Change[] {
    if (before === "" || after === "" || before === after) return [];
    return this.files(thread).changes(before, after);
  }

  /** The files in the thread's part of the store: captures are named only there. */
  files(thread: string): WorkspaceFiles {
    return this.#at(thread).workspace;
  }

  /** Commits an operation that changes which files belong on disk: a branch, a switch, a deleted take. */
  changeWithFiles(
    thread: string,
    build: (history: History, context: Context) => Built,
    options: TakeBackOptions = {},
  ): Promise<ChangedWithFiles> {
    const decide: typeof build = (history, context) =>
      staleRefusal(history, options.expectedVersion) ?? build(history, context);
    return this.#at(thread).back.change({ thread, actor: this.#actor, build: decide, ...options });
  }

  undo(thread: string, request: UndoRequest, options: TakeBackOptions = {}): Promise<TakeBackResult> {
    return this.#takeBack(
      thread,
      (history) => {
        const plan = planUndo(history, { ...request, ...choiceOf(options) });
        return plan.kind === "plan" && (options.paths || options.hunks) ? onlyFiles(plan) : plan;
      },
      options,
    );
  }

  redo(thread: string, count: number, options: TakeBackOptions = {}): Promise<TakeBackResult> {
    return this.#takeBack(thread, (history) => planRedo(history, { count, ...choiceOf(options) }), options);
  }

  revert(thread: string, request: RevertRequest, options: TakeBackOptions = {}): Promise<TakeBackResult> {
    return this.#takeBack(
      thread,
      (history) => {
        const plan = planRevert(history, { ...request, ...choiceOf(options) });
        return plan.kind === "plan" && (options.paths || options.hunks) ? onlyFiles(plan) : plan;
      },
      options,
    );
  }

  /** Jumps to the moment right after an operation, in the take that it led to or in another one. */
  jump(
    thread: string,
    { operation, take }: { readonly operation: OperationId; readonly take?: TakeId },
    options: TakeBackOptions = {},
  ): Promise<TakeBackResult> {
    const new_take = this.store.identity.id();
    const request = { operation, new_take, ...(take === undefined ? {} : { take }) };
    return this.#takeBack(thread, (history) => planJump(history, request), options);
  }

  /** Restores the files of a snapshot; see `snapshots/restore-snapshot.ts`. */
  restore(thread: string, request: FilesRequest, options: TakeBackOptions = {}): Promise<TakeBackResult> {
    return this.#takeBack(thread, (history) => planSnapshotRestore(history, request), options);
  }

  /** Brings files here that other machines have changed, merged with the changes of the user. */
  async bringFiles(thread: string, options: TakeBackOptions = {}): Promise<TakeBackResult> {
    const found = this.#at(thread).files.elsewhere(thread);
    if (!found) return ALL_HERE;
    const { base, tree } = found;
    return this.restore(thread, { snapshot: "another machine", tree, ...(base === "" ? {} : { base }) }, options);
  }

  /** Goes on with the files that are here, although other machines have changed some. */
  keepFiles(thread: string): Promise<Operation | Refusal | Busy> {
    const { files, store } = this.#at(thread);
    return this.#atWork.hold(async () => {
      if (!files.elsewhere(thread)) return ALL_HERE;
      const head = () => store.threads.read(thread, (history) => history.operation(history.state.head ?? ""));
      const before = head();
      await files.noteEdits(thread);
      const after = head();
      return after && after.id !== before?.id ? after : ALL_HERE;
    });
  }

  /** Runs one turn. Holds the workspace as long as it runs. */
  run(request: AgentRequest): Promise<TurnResult | Busy | Refusal> {
    return this.#agent.run(request);
  }

  retry(request: RetryRequest): Promise<TurnResult | TakeBackResult> {
    return this.#agent.retry(request);
  }

  /** How shell commands are confined here. */
  confinement(): Promise<Confinement> {
    return this.#agent.confinement();
  }

  compress(thread: string, request: Omit<CompressRequest, "tools">): Promise<Compressed> {
    return this.#agent.compress(thread, request);
  }

  /**
   * L9, X9: completes what killed processes left unfinished, so that the store and the disk agree, and a later change
   * is not attributed to the killed tool. Waits for a restore in another process, but not for a turn: the process that
   * holds the workspace runs it or ends it, and reads see the current state.
   */
  async finishKilled(): Promise<void> {
    const root = bytePath(this.root);
    const restores = this.store.parts().some(({ database, directory }) => {
      return new RestoreJournal(database).hasUnfinished(root) || leftStages({ root }, stageTag(directory)).length > 0;
    });
    if (restores) await this.finishInterrupted();
    else if (this.store.parts().some(({ threads }) => threads.working(this.root).length > 0))
      // A turn that cannot be ended now, for example on a full disk, does not stop a reader; a writer gets the error.
      await this.finishInterrupted(AbortSignal.abort()).catch(() => undefined);
  }

  /** Whether some files are of before a restore and some of after it: another process restores, or was killed meanwhile. */
  isHalfRestored(): boolean {
    const root = bytePath(this.root);
    return this.store.parts().some(({ database }) => new RestoreJournal(database).isApplying(root));
  }

  /** Completes what killed processes left unfinished here, as every command does that changes files. */
  async finishInterrupted(signal?: AbortSignal): Promise<Busy | undefined> {
    const done = await this.#atWork.hold(async () => undefined, { signal });
    return done?.kind === "busy" ? done : undefined;
  }

  /** Deletes the files of old history, and contents that nothing names. Only at the user's request. */
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
  ): Promise<TakeBackResult> {
    const fresh: typeof decide = (history) => staleRefusal(history, options.expectedVersion) ?? decide(history);
    return this.#at(thread).back.carryOut({ thread, actor: this.#actor, decide: fresh, ...options });
  }

  #at(thread: string): AtWork {
    return this.#atWork.in(this.store.partOf(thread));
  }
}

/** How conflicts of records are decided. A content of its own is for files. */
function choiceOf({ onConflict, resolutions }: ConflictOptions): Pick<UndoRequest, "on_conflict" | "resolutions"> {
  const chosen = new Map<string, Resolution>();
  for (const [path, resolution] of resolutions ?? []) if (typeof resolution === "string") chosen.set(path, resolution);
  return { ...(onConflict ? { on_conflict: onConflict } : {}), resolutions: chosen };
}

const ALL_HERE = refuse("nothing-to-do", "The files of this thread are here. Nothing was changed.");
