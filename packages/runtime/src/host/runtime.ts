/**
 * The store and the workspaces that are worked in, with the feed of events and the queue of turns. Reads are one snapshot
 * of the store each and wait for nobody. Changes of files go through the workspace's gate, one at a time; turns run in
 * the background.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import {
  type Built,
  type Context,
  type History,
  isRefusal,
  nameProblem,
  type Refusal,
  refuse,
  runningTurn,
  type State,
  staleRefusal,
  takes,
  titleFrom,
} from "@retake/core";
import { RestoreJournal, type TaskOptions } from "@retake/workspace";
import { type ChangedAnswer, changeOutcome } from "../answers/changed-answer.ts";
import type { Outcome } from "../answers/outcome.ts";
import { threadSummaryJson } from "../answers/thread-answer.ts";
import { modelSettings } from "../config/model-settings.ts";
import { Feed } from "../events/feed.ts";
import { endForeignTurnsIn, type ForeignTurn } from "../exchange/end-foreign-turns.ts";
import { chosenModel } from "../model/chosen-model.ts";
import type { ModelSettings } from "../model/provider-access.ts";
import type { Compressed } from "../runner/compress.ts";
import { freeTitle } from "../store/free-title.ts";
import { type ChangeOptions, openStore, type Store, type StoreOptions } from "../store/open-store.ts";
import { RequestKeys } from "../store/request-keys.ts";
import type { SnapshotRow } from "../store/snapshot-log.ts";
import type { ThreadSummary } from "../store/thread-store.ts";
import type { Busy } from "../undo/hold-workspace.ts";
import type { ProgressOptions } from "../undo/restore-with-commit.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { ActionError } from "./action-error.ts";
import { BackgroundSync } from "./background-sync.ts";
import { GroupCommit } from "./group-commit.ts";
import { OnceOnly } from "./once-only.ts";
import { openChosenModel } from "./open-chosen-model.ts";
import { OpenWorkspaces, requireDirectory } from "./open-workspaces.ts";
import { tellProgress } from "./tell-progress.ts";
import { TurnQueue } from "./turn-queue.ts";
import { type RegisteredTurn, TurnRegister } from "./turn-register.ts";

export interface RuntimeOptions extends StoreOptions {
  /** The process stays and answers others meanwhile; otherwise it ends with one command. */
  readonly stays?: boolean;
  /** Called when something has to wait until another process is done with a workspace. */
  readonly onWait?: () => void;
}

export interface CompressOptions {
  readonly model?: string | undefined;
  /** How many pairs of prompt and answer stay as they are. */
  readonly keep?: number | undefined;
  readonly expectedVersion?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export class Runtime {
  readonly store: Store;
  readonly once: OnceOnly;
  readonly sync: BackgroundSync;
  readonly #workspaces: OpenWorkspaces;
  readonly #register: TurnRegister;
  /** Made when they are first needed: a short command needs neither. */
  #feed: Feed | undefined;
  #followed: Store | undefined;
  #turns: TurnQueue | undefined;
  readonly #commits: GroupCommit;
  readonly #summaries = new Map<
    string,
    { readonly head: string; readonly summary: ReturnType<typeof threadSummaryJson> }
  >();
  /** The heads at which no turn of a thread runs. */
  readonly #idle = new Map<string, string>();
  readonly #finishing = new Map<string, Promise<void>>();
  readonly #settling = new Map<string, Promise<unknown>>();
  #currents: { readonly as: string; readonly threads: Map<string, string | undefined> } = {
    as: "",
    threads: new Map(),
  };

  constructor(options: RuntimeOptions) {
    this.store = openStore(options);
    this.#commits = new GroupCommit((work) => this.store.together(work));
    this.#workspaces = new OpenWorkspaces(this.store, options);
    this.#register = new TurnRegister(this.store.directories.state);
    this.sync = new BackgroundSync(this.store, () => this.#feed);
    this.once = new OnceOnly(() => this.store.parts().map(({ database }) => new RequestKeys(database)), this.store.now);
  }

  /** On a connection of its own, so that it never reads uncommitted data. */
  get feed(): Feed {
    this.#followed ??= openStore(this.store);
    this.#feed ??= new Feed(this.#followed);
    return this.#feed;
  }

  get turns(): TurnQueue {
    this.#turns ??= new TurnQueue({
      workspaces: this.#workspaces,
      feed: this.feed,
      register: this.#register,
      models: () => this.#models(),
      store: this.store,
      newId: () => this.store.identity.id(),
    });
    return this.#turns;
  }

  /** The prompts that wait for a thread in this process do not begin any more; the store has cleared them already. */
  clearQueue(thread: string): void {
    this.#turns?.clearWaiting(thread);
  }

  /** A directory to work in, for a process that ends with one command: nothing else goes on in it. */
  workspace(root: string): Workspace {
    return this.#workspaces.open(root);
  }

  /**
   * Finishes the restores and turns that killed processes left half done, in every workspace, before anybody is served.
   * A failure is ignored here: the next work in that workspace reports it.
   */
  async finishKilled(): Promise<void> {
    this.once.forgetOld();
    const roots = new Set<string>();
    for (const { database, threads } of this.store.parts()) {
      for (const bytes of new RestoreJournal(database).unfinishedRoots())
        roots.add(Buffer.from(bytes, "latin1").toString("utf8"));
      for (const root of threads.roots()) if (threads.working(root).length > 0) roots.add(root);
    }
    for (const root of roots) await this.inDirectory(root, () => undefined).catch(() => undefined);
  }

  /**
   * The thread, after ending a turn of it whose process is gone, so that reads see the same state as changes. Undefined
   * if there is no such thread. A turn that another process runs stays.
   */
  async settled(id: string): Promise<ThreadSummary | undefined> {
    const thread = this.store.thread(id);
    if (!thread || this.#idle.get(id) === thread.head || this.#turns?.runs(id)) return thread;
    if (this.read(id, ({ state }) => takes(state).every((take) => runningTurn(state, take.id) === undefined))) {
      if (this.#idle.size >= MOST_SUMMARIES) this.#idle.clear();
      this.#idle.set(id, thread.head);
      return thread;
    }
    await this.#finishIn(thread.workspace_root);
    return this.store.thread(id);
  }

  /** The same for callers that need no answer: those that arrive in one turn of the event loop share one look. */
  settle(id: string): Promise<unknown> {
    const known = this.#settling.get(id);
    if (known) return known;
    const settling = this.settled(id);
    this.#settling.set(id, settling);
    setImmediate(() => this.#settling.delete(id));
    return settling;
  }

  /** Runs once for all callers of the same moment: a second one would find the workspace held. */
  #finishIn(root: string): Promise<void> {
    const known = this.#finishing.get(root);
    if (known) return known;
    const finishing = this.inDirectory(root, (workspace) => workspace.finishKilled())
      // After a failure the thread is read as it is; the next change of files there reports it.
      .catch(() => undefined)
      .finally(() => this.#finishing.delete(root));
    this.#finishing.set(root, finishing);
    return finishing;
  }

  /** The thread, deleted or not; one that is not there is an error. */
  thread(id: string): ThreadSummary {
    const found = this.store.thread(id);
    if (!found)
      throw this.store.damageOf(id) ?? new ActionError("not-found", `There is no thread ${id} in this store.`);
    return found;
  }

  /** The one that was changed last first. */
  threads(root?: string, deleted = false): ThreadSummary[] {
    return this.store.everyThread(root).filter((thread) => thread.deleted === deleted);
  }

  /** The thread that a workspace stands at. */
  current(root: string): ThreadSummary | undefined {
    return this.store.currentThread(root);
  }

  /**
   * Equal stamps mean equal answers from the thread's records. With `current`, the stamp also says whether commands act
   * on the thread by default.
   */
  stamp({ id, head, workspace_root: root }: ThreadSummary, current: boolean): string {
    if (!current) return `${head} ${root}`;
    return `${head} ${root} ${this.sync.readersOf(id)}${this.#isCurrent(id, root) ? " current" : ""}`;
  }

  /** Which thread a workspace stands at follows from the operations of all threads, and from what users chose. */
  #isCurrent(id: string, root: string): boolean {
    const chosen =
      statSync(join(this.store.directories.state, "current"), { throwIfNoEntry: false, bigint: true })?.mtimeNs ?? 0n;
    const as = `${this.feed.committed()} ${chosen}`;
    if (this.#currents.as !== as) this.#currents = { as, threads: new Map() };
    const { threads } = this.#currents;
    if (!threads.has(root)) threads.set(root, this.current(root)?.id);
    return threads.get(root) === id;
  }

  /** P7: the summary of a thread, computed once for every head. */
  summary(thread: ThreadSummary): ReturnType<typeof threadSummaryJson> {
    const known = this.#summaries.get(thread.id);
    if (known?.head === thread.head) return known.summary;
    const summary = this.read(thread.id, (history) => threadSummaryJson(history, thread, undefined));
    if (this.#summaries.size >= MOST_SUMMARIES) this.#summaries.clear();
    this.#summaries.set(thread.id, { head: thread.head, summary });
    return summary;
  }

  /** A snapshot of whichever workspace; one that is not there is an error. */
  snapshot(id: string): SnapshotRow {
    const found = this.store.snapshotLogs().flatMap((log) => log.get(id) ?? [])[0];
    if (!found) throw new ActionError("not-found", `There is no snapshot ${id} in this store.`);
    return found;
  }

  read<T>(thread: string, look: (history: History) => T): T {
    return this.store.read(thread, look);
  }

  /** Commits an operation that leaves the files alone; `more` reads the state after it. */
  async change<More extends object>(
    thread: string,
    build: (state: State, context: Context) => Built,
    options: ChangeOptions,
    more: (state: State) => More,
  ): Promise<Outcome<ChangedAnswer<More>>> {
    const change = () => changeOutcome(this.store, thread, build, options, more);
    const outcome = this.store.isPrivate(thread) ? change() : await this.#commits.run(change);
    this.#feed?.lookSoon();
    return outcome;
  }

  /** A new thread in a directory. Without a title it gets one, made from its first prompt. */
  async newThread(
    root: string,
    options: {
      readonly title?: string | undefined;
      readonly prompt?: string | undefined;
      readonly private?: boolean | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<string | Busy | Refusal> {
    const { title, prompt = "" } = options;
    const problem = title === undefined ? undefined : nameProblem(title);
    if (problem !== undefined) return refuse("invalid-input", `The title ${problem}. No thread was made.`);
    return this.workIn(root, async (workspace) => {
      if (workspace.threads().some((thread) => thread.title === title))
        return refuse("already-exists", `There is a thread ${title} already. No thread was made.`);
      return workspace.newThread(title ?? freeTitle(workspace, titleFrom(prompt)), {
        private: options.private ?? false,
        ...this.capturing(root, options.signal),
      });
    });
  }

  /** Looks or changes something in a thread's own workspace; the files stay as they are. */
  async inWorkspace<T>(thread: string, task: (workspace: Workspace) => T | Promise<T>): Promise<T> {
    return this.inDirectory(this.thread(thread).workspace_root, task);
  }

  async inDirectory<T>(root: string, task: (workspace: Workspace) => T | Promise<T>): Promise<T> {
    const result = await this.#workspaces.use(root, async ({ workspace }) => task(workspace));
    this.#feed?.look();
    return result;
  }

  /** Runs a task that may change files in a thread's own workspace, when no other task runs there. */
  async work<T>(thread: string, task: (workspace: Workspace) => Promise<T>): Promise<T | Busy | Refusal> {
    const { workspace_root: root } = this.thread(thread);
    if (this.#turns?.runs(thread)) return AGENT_RUNS;
    return this.workIn(root, task);
  }

  async workIn<T>(root: string, task: (workspace: Workspace) => Promise<T>): Promise<T | Busy> {
    return this.#workspaces.use(root, async ({ workspace, gate }): Promise<T | Busy> => {
      if (gate.turnRuns) return TURN_RUNS;
      const result = await gate.enter(() => task(workspace));
      this.#feed?.look();
      return result;
    });
  }

  /**
   * Ends the turns that run or wait in a directory, of one thread where it is named, in whichever process they are. Resolves
   * when they have ended. Turns that another machine began end in the history that this machine has.
   */
  async stopTurns(
    root: string,
    thread?: string,
    signal?: AbortSignal,
  ): Promise<readonly (RegisteredTurn | ForeignTurn)[] | Busy> {
    requireDirectory(root);
    const turns = this.#register.askToStop(root, thread);
    const running = await this.#register.waitForEnd(root, turns, signal);
    // A process that is gone, now or before, did not end its turn.
    await this.#finishIn(root);
    const [stuck] = running;
    if (stuck) return { kind: "busy", message: doesNotEnd(stuck) };
    const foreign = endForeignTurnsIn(this.store, root, thread);
    this.#feed?.look();
    return [...turns, ...foreign];
  }

  /** The older part of a conversation gives way to a summary by the model. */
  async compress(thread: string, options: CompressOptions): Promise<Compressed> {
    const models = await this.#models();
    const name = this.read(
      thread,
      (history) => staleRefusal(history, options.expectedVersion) ?? chosenModel(history.state, options.model, models),
    );
    if (typeof name !== "string") return name;
    const model = await openChosenModel(name, models);
    if (isRefusal(model)) return model;
    const { keep, signal = new AbortController().signal } = options;
    const root = this.thread(thread).workspace_root;
    const done = await this.#workspaces.use(root, ({ workspace }) =>
      workspace.compress(thread, { model, signal, keep }),
    );
    this.#feed?.look();
    return done;
  }

  /** Options for a capture that may take long: it reports its progress, and stops when nobody waits for it. */
  capturing(root: string, signal: AbortSignal | undefined): TaskOptions {
    const onProgress: TaskOptions["onProgress"] = ({ files, bytes }) =>
      this.#feed?.tell({ type: "progress", what: "capture", workspace_root: root, files, bytes });
    return { onProgress, signal };
  }

  /** The same for restores. A committed restore is completed, even if nobody waits for it. */
  restoring(thread: string, signal: AbortSignal | undefined): ProgressOptions {
    const { workspace_root: root } = this.thread(thread);
    return { signal, ...(this.#feed ? { onProgress: tellProgress(this.#feed, thread, root) } : {}) };
  }

  async #models(): Promise<ModelSettings> {
    return modelSettings(this.store.directories.config, this.store.environment);
  }

  /** Ends turns cleanly, then closes everything. */
  async close(): Promise<void> {
    await this.#turns?.close();
    await this.sync.close();
    this.#feed?.close();
    this.#followed?.close();
    await this.#workspaces.close();
    this.store.close();
  }
}

const MOST_SUMMARIES = 1000;

function doesNotEnd({ pid }: RegisteredTurn): string {
  return `Process ${pid} was asked to end its turn and has not done so yet. It is still asked; retake status shows when the turn has ended.`;
}

const AGENT_RUNS = refuse(
  "agent-running",
  "The agent is working in this thread. Stop it (retake stop) or wait until it is done; nothing was changed.",
);

const TURN_RUNS: Busy = {
  kind: "busy",
  message:
    "A turn of another thread runs in this directory. Nothing was changed; try again when it is done, or end it: retake stop",
};
