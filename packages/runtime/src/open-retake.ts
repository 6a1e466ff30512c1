/**
 * Retake for one workspace: what every screen calls. It decides nothing: the core does, and the
 * parts below carry it out.
 *
 * The store is opened at once, the workspace (a thread that captures, a watcher) only by what needs files.
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
  type Plan,
  planJump,
  planRedo,
  planRevert,
  planUndo,
  type Refusal,
  type RevertRequest,
  type State,
  staleRefusal,
  type UndoRequest,
} from "@retake/core";
import type { Directories } from "./directories.ts";
import { CommsLog } from "./runner/comms-log.ts";
import { runTurn } from "./runner/run-turn.ts";
import type { TurnRequest, TurnResult } from "./runner/turn.ts";
import { type Database, openDatabase } from "./store/open-database.ts";
import { ThreadStore, type ThreadSummary } from "./store/thread-store.ts";
import type { Tool } from "./tools/tool.ts";
import { type Busy, holdWorkspace } from "./undo/hold-workspace.ts";
import { Identity } from "./undo/identity.ts";
import { type ChangedWithFiles, TakeBack, type TakenBack } from "./undo/take-back.ts";
import { captureOf, ThreadFiles, treeName } from "./undo/thread-files.ts";
import type { BytePath, Change } from "./workspace/model.ts";
import { openWorkspace, type Workspace } from "./workspace/open-workspace.ts";

export interface RetakeOptions {
  readonly directories: Directories;
  /** The directory to work in. */
  readonly root: string;
  readonly version: string;
  readonly actor?: Actor;
}

export interface ChangeOptions {
  /** Who changes it, if not whom Retake was opened for. */
  readonly actor?: Actor;
  /** The version that the caller saw: refused if more than notes came since. */
  readonly expectedVersion?: number;
}

export interface TakeBackOptions extends ChangeOptions {
  readonly dryRun?: boolean;
  readonly onConflict?: ConflictPolicy;
  /** Only these files, and what is in them where they are directories. */
  readonly paths?: readonly BytePath[];
}

export function openRetake(options: RetakeOptions): Retake {
  mkdirSync(options.directories.data, { recursive: true, mode: 0o700 });
  mkdirSync(options.directories.state, { recursive: true, mode: 0o700 });
  return new Retake(options, openDatabase(join(options.directories.data, "retake.db")));
}

export class Retake {
  readonly root: string;
  readonly identity = new Identity();
  readonly store: ThreadStore;
  readonly #options: RetakeOptions;
  readonly #database: Database;
  readonly #actor: Actor;
  #files: { workspace: Workspace; store: ThreadStore; back: TakeBack; files: ThreadFiles } | undefined;

  constructor(options: RetakeOptions, database: Database) {
    this.#options = options;
    this.#database = database;
    this.#actor = options.actor ?? { kind: "user" };
    this.root = realpathSync(options.root);
    this.store = new ThreadStore(database, { outbox: true });
  }

  /** The threads of this workspace that are not deleted, the one that was changed last first. */
  threads(): ThreadSummary[] {
    return this.store.list(this.root).filter((thread) => !thread.deleted);
  }

  async newThread(title: string): Promise<string> {
    const id = `T-${this.identity.id()}`;
    const { workspace, store } = this.#withFiles();
    const tree = treeName((await workspace.capture()).id);
    const origin = {
      id,
      workspace_root: this.root,
      cwd: this.root,
      retake_version: this.#options.version,
      private: false,
    };
    const made = store.change(id, () =>
      createThread(this.#context(), { origin, take: this.identity.id(), name: title, tree }),
    );
    if ("code" in made) throw new Error(made.message);
    return id;
  }

  read<T>(thread: string, look: (history: History) => T): T {
    return this.store.read(thread, look);
  }

  /** The ids of a thread's operations that begin so, in order. */
  operationIds(thread: string, beginning = ""): string[] {
    return this.#database
      .prepare("SELECT id FROM operations WHERE thread = ? AND substr(id, 1, ?) = ? ORDER BY id")
      .all(thread, beginning.length, beginning)
      .map((row) => row["id"] as string);
  }

  /** How the files went from one tree of a thread to another. */
  changedFiles(before: string, after: string): readonly Change[] {
    if (before === "" || after === "" || before === after) return [];
    return this.workspace.changes(captureOf(before), captureOf(after));
  }

  /** Commits an operation that leaves the files alone. */
  change(
    thread: string,
    build: (state: State, context: Context) => Built,
    options: ChangeOptions = {},
  ): Operation | Refusal {
    return this.store.change(
      thread,
      (history) => staleRefusal(history, options.expectedVersion) ?? build(history.state, this.#context(options.actor)),
    );
  }

  /** Commits an operation after which other files should be on disk: a branch, a switch, a deleted take. */
  changeWithFiles(
    thread: string,
    build: (history: History, context: Context) => Built,
    options: TakeBackOptions = {},
  ): Promise<ChangedWithFiles> {
    const decide: typeof build = (history, context) =>
      staleRefusal(history, options.expectedVersion) ?? build(history, context);
    return this.#withFiles().back.change({ thread, actor: this.#actor, build: decide, ...options });
  }

  undo(thread: string, request: UndoRequest, options: TakeBackOptions = {}): Promise<TakenBack> {
    const policy = options.onConflict ? { on_conflict: options.onConflict } : {};
    return this.#takeBack(
      thread,
      (history) => {
        const plan = planUndo(history, { ...request, ...policy });
        return plan.kind === "plan" && options.paths ? onlyFiles(plan) : plan;
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
        return plan.kind === "plan" && options.paths ? onlyFiles(plan) : plan;
      },
      options,
    );
  }

  jump(thread: string, operation: string, options: TakeBackOptions = {}): Promise<TakenBack> {
    return this.#takeBack(thread, (history) => planJump(history, { operation, new_take: this.identity.id() }), options);
  }

  /** One turn. Holds the workspace as long as it runs. */
  run(request: TurnRequest & { readonly tools: readonly Tool[] }): Promise<TurnResult | Busy | Refusal> {
    const { workspace, store, files } = this.#withFiles();
    const { identity } = this;
    const { state } = this.#options.directories;
    const { tools, ...turn } = request;
    const comms = new CommsLog(join(state, "comms"), process.env);
    return holdWorkspace({ workspace, store, identity, state }, turn.thread, () =>
      runTurn(
        {
          workspace,
          store,
          files,
          identity,
          tools,
          comms,
          overflow: join(state, "outputs"),
          environment: toolEnvironment(),
        },
        turn,
      ),
    );
  }

  get workspace(): Workspace {
    return this.#withFiles().workspace;
  }

  async close(): Promise<void> {
    await this.#files?.workspace.close();
    this.#database.close();
  }

  #takeBack(
    thread: string,
    decide: Parameters<TakeBack["carryOut"]>[0]["decide"],
    options: TakeBackOptions,
  ): Promise<TakenBack> {
    const fresh: typeof decide = (history) => staleRefusal(history, options.expectedVersion) ?? decide(history);
    return this.#withFiles().back.carryOut({ thread, actor: this.#actor, decide: fresh, ...options });
  }

  #withFiles() {
    if (this.#files) return this.#files;
    const { data, state } = this.#options.directories;
    const workspace = openWorkspace({ root: this.root, store: data });
    // On the workspace's own connection: an operation and its files are one transaction.
    const store = new ThreadStore(workspace.database, { outbox: true });
    const files = new ThreadFiles(workspace, store, this.identity);
    this.#files = { workspace, store, files, back: new TakeBack(store, workspace, this.identity, state) };
    return this.#files;
  }

  #context(actor: Actor = this.#actor): Context {
    return this.identity.context(actor);
  }
}

/** Some files of what a plan takes back: the conversation stays, and so does the group, to be undone as a whole. */
function onlyFiles(plan: Plan): Plan {
  return {
    ...plan,
    groups: plan.groups.map((group) => ({ ...group, scope: "files" })),
    active: { before: plan.active.before, after: plan.active.before },
    conflicts: [],
    turns_undone: 0,
    messages_removed: 0,
    original_user_text: null,
    links: {},
  };
}

/** What a tool's processes see of ours: no key of any provider, no token of Retake's. */
function toolEnvironment(): Record<string, string> {
  const secret = /(_API_KEY|_TOKEN|_SECRET|PASSWORD|CREDENTIALS)$|^RETAKE_/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => value !== undefined && !secret.test(name)),
  ) as Record<string, string>;
}
