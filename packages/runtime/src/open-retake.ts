/**
 * Retake for one workspace: what every screen calls. It decides nothing: the core does, and the
 * parts below carry it out.
 *
 * Every thread is in one of two stores (`stores.ts`) and is worked on there. The shared store is opened at
 * once, a store's workspace (a thread that captures, a watcher) only by what needs files.
 */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import {
  type Actor,
  type Built,
  type ConflictPolicy,
  type Context,
  createThread,
  type History,
  type Operation,
  planJump,
  planRedo,
  planRevert,
  planUndo,
  type Refusal,
  type RevertRequest,
  type State,
  type TakeId,
  type UndoRequest,
} from "@retake/core";
import { CurrentThread } from "./current-thread.ts";
import type { Directories } from "./directories.ts";
import { knownKeys, type ModelConfig } from "./model/provider-access.ts";
import type { Store } from "./open-store.ts";
import type { TurnRequest, TurnResult } from "./runner/turn.ts";
import { byRelevance, type FoundThread, type SearchRequest, searchThreads } from "./search/search-threads.ts";
import { readSavedPoints, type SavedPoint } from "./store/thread-catalogue.ts";
import type { ThreadSummary } from "./store/thread-store.ts";
import { Stores } from "./stores.ts";
import { type AtWork, StoresAtWork } from "./stores-at-work.ts";
import type { Tool } from "./tools/tool.ts";
import { toolEnvironment } from "./tools/tool-environment.ts";
import type { Busy } from "./undo/hold-workspace.ts";
import { Identity } from "./undo/identity.ts";
import { onlyFiles } from "./undo/only-files.ts";
import type { ChangedWithFiles, TakeBack, TakenBack } from "./undo/take-back.ts";
import { captureOf, treeName } from "./undo/thread-files.ts";
import type { BytePath, Change } from "./workspace/model.ts";
import type { Workspace } from "./workspace/open-workspace.ts";

export interface RetakeOptions {
  readonly directories: Directories;
  /** The directory to work in. */
  readonly root: string;
  readonly version: string;
  readonly actor?: Actor;
  /** Told when something has to wait until another process is done with this workspace. */
  readonly onWait?: () => void;
  /** Keys that came from the config, so that they are kept out of the communication log. */
  readonly models?: ModelConfig;
}

export interface TakeBackOptions {
  readonly dryRun?: boolean;
  readonly onConflict?: ConflictPolicy;
  /** Only these files, and what is in them where they are directories. */
  readonly paths?: readonly BytePath[];
}

export function openRetake(options: RetakeOptions): Retake {
  mkdirSync(options.directories.state, { recursive: true, mode: 0o700 });
  return new Retake(options, new Stores(options.directories.data));
}

export class Retake {
  readonly root: string;
  readonly identity = new Identity();
  readonly #options: RetakeOptions;
  readonly #stores: Stores;
  readonly #atWork: StoresAtWork;
  readonly #actor: Actor;
  readonly #current: CurrentThread;

  constructor(options: RetakeOptions, stores: Stores) {
    const { state } = options.directories;
    this.#options = options;
    this.#stores = stores;
    this.#actor = options.actor ?? { kind: "user" };
    this.root = realpathSync(options.root);
    this.#atWork = new StoresAtWork(stores, {
      ...{ root: this.root, state, identity: this.identity, onWait: options.onWait },
    });
    this.#current = new CurrentThread(state, this.root);
  }

  /** The threads of this workspace that are not deleted, the one that was changed last first. */
  threads(): ThreadSummary[] {
    return this.everyThread(this.root).filter((thread) => !thread.deleted);
  }

  /** Threads, deleted ones too, the one that was changed last first; with `root`, only those of that workspace. */
  everyThread(root?: string): ThreadSummary[] {
    const lists = this.#stores.all().map(({ threads }) => threads.list(root));
    return lists.flat().sort((a, b) => b.updated_at - a.updated_at || (a.id < b.id ? 1 : -1));
  }

  /** The thread that commands act on unless they name another. */
  currentThread(): ThreadSummary | undefined {
    return this.#current.among(this.threads());
  }

  chooseThread(thread: string): void {
    this.#current.choose(thread, this.identity.now());
  }

  /** L11: the threads that fit, of all workspaces, the best first. */
  search(request: SearchRequest): FoundThread[] {
    const found = this.#stores.all().flatMap((store) => searchThreads(store, request));
    return found.sort(byRelevance);
  }

  /** The named saves of all threads; `sessions.ts` is what they mean. */
  savedPoints(): SavedPoint[] {
    return this.#stores.all().flatMap(({ database }) => readSavedPoints(database));
  }

  /** A private thread never leaves the machine, and stays private. */
  async newThread(title: string, options: { readonly private?: boolean } = {}): Promise<string> {
    const id = `T-${this.identity.id()}`;
    const store = options.private ? this.#stores.makePrivate() : this.#stores.shared;
    const { workspace } = this.#atWork.in(store);
    const tree = treeName((await workspace.capture()).id);
    const origin = {
      id,
      workspace_root: this.root,
      cwd: this.root,
      retake_version: this.#options.version,
      private: options.private ?? false,
    };
    const made = store.threads.change(id, () =>
      createThread(this.#context(), { origin, take: this.identity.id(), name: title, tree }),
    );
    if ("code" in made) throw new Error(made.message);
    return id;
  }

  read<T>(thread: string, look: (history: History) => T): T {
    return this.#store(thread).threads.read(thread, look);
  }

  /** The ids of a thread's operations that begin so, in order. */
  operationIds(thread: string, beginning = ""): string[] {
    return this.#store(thread).threads.operationIds(thread, beginning);
  }

  /** How the files went from one tree of a thread to another. */
  changedFiles(thread: string, before: string, after: string): readonly Change[] {
    if (before === "" || after === "" || before === after) return [];
    return this.workspace(thread).changes(captureOf(before), captureOf(after));
  }

  /** The files of this workspace as the thread's store knows them: captures are named in it alone. */
  workspace(thread: string): Workspace {
    return this.#at(thread).workspace;
  }

  /** Commits an operation that leaves the files alone. */
  change(thread: string, build: (state: State, context: Context) => Built): Operation | Refusal {
    return this.#store(thread).threads.change(thread, ({ state }) => build(state, this.#context()));
  }

  /** Commits an operation after which other files should be on disk: a branch, a switch, a deleted take. */
  changeWithFiles(
    thread: string,
    build: (history: History, context: Context) => Built,
    options: TakeBackOptions = {},
  ): Promise<ChangedWithFiles> {
    return this.#at(thread).back.change({ thread, actor: this.#actor, build, ...options });
  }

  undo(thread: string, request: UndoRequest, options: TakeBackOptions = {}): Promise<TakenBack> {
    const policy = options.onConflict ? { on_conflict: options.onConflict } : {};
    return this.#takeBack(thread, (history) => planUndo(history, { ...request, ...policy }), options);
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
        return plan.kind === "plan" && options.paths ? onlyFiles(plan) : plan;
      },
      options,
    );
  }

  jump(thread: string, operation: string, options: TakeBackOptions = {}): Promise<TakenBack> {
    return this.#takeBack(thread, (history) => planJump(history, { operation, new_take: this.identity.id() }), options);
  }

  /** One turn. Holds the workspace as long as it runs. */
  async run(request: TurnRequest & { readonly tools: readonly Tool[] }): Promise<TurnResult | Busy | Refusal> {
    const { state } = this.#options.directories;
    const { tools, ...turn } = request;
    const { store, workspace, files } = this.#at(turn.thread);
    workspace.useThread();
    const { CommsLog } = await import("./runner/comms-log.ts");
    const { runTurn } = await import("./runner/run-turn.ts");
    const parts = {
      ...{ workspace, files, tools, store: store.threads, identity: this.identity },
      comms: new CommsLog(join(state, "comms"), { ...process.env, ...knownKeys(this.#options.models) }),
      overflow: join(state, "outputs"),
      environment: toolEnvironment(process.env),
    };
    return this.#atWork.hold(() => runTurn(parts, turn), turn.signal);
  }

  async close(): Promise<void> {
    await this.#atWork.close();
    this.#stores.close();
  }

  #takeBack(
    thread: string,
    decide: Parameters<TakeBack["carryOut"]>[0]["decide"],
    options: TakeBackOptions,
  ): Promise<TakenBack> {
    return this.#at(thread).back.carryOut({ thread, actor: this.#actor, decide, ...options });
  }

  #store(thread: string): Store {
    return this.#stores.of(thread);
  }

  #at(thread: string): AtWork {
    return this.#atWork.in(this.#store(thread));
  }

  #context(take?: TakeId): Context {
    return { ...this.identity.context(this.#actor), ...(take ? { take } : {}) };
  }
}
