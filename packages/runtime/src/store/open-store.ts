/**
 * Everything that is stored on this machine: every thread with its log, whatever directory it works in.
 *
 * L8: a thread is in one of two parts. The shared part is the data directory; each of its commits is queued for sync.
 * Private threads, with their captures and all file contents, are in a separate part inside it, which is created with
 * the first private thread. Sync opens the shared part and has no access to the private one.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Actor,
  type Built,
  type Context,
  type History,
  type Operation,
  type OperationId,
  type Refusal,
  type State,
  staleRefusal,
} from "@retake/core";
import { CaptureLog, type DescribedCapture, describeCapture, StoreError } from "@retake/workspace";
import { Approvals } from "./approvals.ts";
import { Attachments } from "./attachments.ts";
import { CurrentThread } from "./current-thread.ts";
import { damageOf } from "./damaged-threads.ts";
import { deviceId } from "./device-id.ts";
import type { Directories, Environment } from "./directories.ts";
import { Identity } from "./identity.ts";
import { NameIndex, type NameScope } from "./name-index.ts";
import { OperationLog } from "./operation-log.ts";
import { QueuedPrompts } from "./queued-prompts.ts";
import { SnapshotLog } from "./snapshot-log.ts";
import { openStorePart, type StorePart } from "./store-part.ts";
import { readSavedPoints, type SavedPoint } from "./thread-catalogue.ts";
import type { ThreadSummary } from "./thread-store.ts";

export interface StoreOptions {
  readonly directories: Directories;
  readonly version: string;
  /**
   * The environment of the agent's shell commands, of keys and of the default model; by default that of the process.
   */
  readonly environment?: Environment;
  readonly now?: () => number;
  /** The author of changes, unless a request names another. */
  readonly actor?: Actor;
}

export interface ChangeOptions {
  /** The author of the change; by default the store's own actor. */
  readonly actor?: Actor;
  /** The version that the caller saw: refused if anything but notes came later. */
  readonly expectedVersion?: number;
}

export function openStore(options: StoreOptions): Store {
  mkdirSync(options.directories.state, { recursive: true, mode: 0o700 });
  return new Store(options);
}

export class Store {
  readonly directories: Directories;
  readonly version: string;
  readonly actor: Actor;
  readonly environment: Environment;
  readonly identity: Identity;
  readonly shared: StorePart;
  readonly approvals: Approvals;
  readonly attachments: Attachments;
  readonly #privateDirectory: string;
  readonly #device: string;
  #private: StorePart | undefined;
  /** The part of each known thread: a thread never moves. */
  readonly #found = new Map<string, StorePart>();

  constructor(options: StoreOptions) {
    const { directories, version, environment = process.env, now = Date.now, actor = { kind: "user" } } = options;
    const { data } = directories;
    this.environment = environment;
    this.identity = new Identity(now);
    this.directories = directories;
    this.version = version;
    this.actor = actor;
    this.#privateDirectory = join(data, "private");
    this.#device = deviceId(data);
    this.shared = openStorePart(data, {
      outbox: true,
      device: this.#device,
      others: () => (this.private ? [this.private.database] : []),
    });
    this.approvals = new Approvals(this.shared.database);
    this.attachments = new Attachments(data);
  }

  /** The part with private threads, if it exists: another process may have created it meanwhile. */
  get private(): StorePart | undefined {
    if (!this.#private && existsSync(join(this.#privateDirectory, "retake.db"))) return this.makePrivate();
    return this.#private;
  }

  makePrivate(): StorePart {
    this.#private ??= openStorePart(this.#privateDirectory, {
      outbox: false,
      device: this.#device,
      others: () => [this.shared.database],
    });
    return this.#private;
  }

  parts(): readonly StorePart[] {
    return this.private ? [this.shared, this.private] : [this.shared];
  }

  /** The part that holds a thread. */
  partOf(thread: string): StorePart {
    const part = this.findPart(thread);
    if (part) return part;
    throw (
      this.damageOf(thread) ??
      new StoreError("unknown-thread", `There is no thread ${thread} in this store. Nothing was changed.`)
    );
  }

  /** Why a thread that is not in the store cannot be read, if it was damaged and set aside. */
  damageOf(thread: string): StoreError | undefined {
    return this.parts()
      .map(({ database }) => damageOf(database, thread))
      .find((damage) => damage !== undefined);
  }

  findPart(thread: string): StorePart | undefined {
    const known = this.#found.get(thread);
    if (known) return known;
    // The shared part first: as long as no private thread is requested, the private part stays closed.
    const part = this.shared.threads.has(thread) ? this.shared : this.private;
    if (!part?.threads.has(thread)) return undefined;
    this.#found.set(thread, part);
    return part;
  }

  /** The threads of a workspace that are not deleted, the last changed first. */
  threads(root: string): ThreadSummary[] {
    return this.everyThread(root).filter((thread) => !thread.deleted);
  }

  /** All threads, also deleted ones, the last changed first; with `root`, only those of that workspace. */
  everyThread(root?: string): ThreadSummary[] {
    return inOneOrder(this.parts().map(({ threads }) => threads.list(root)));
  }

  /** Whether a thread has this id, deleted or not. */
  has(thread: string): boolean {
    return this.findPart(thread) !== undefined;
  }

  /** A thread of any workspace by its id, deleted or not. */
  thread(id: string): ThreadSummary | undefined {
    return this.findPart(id)?.threads.get(id);
  }

  isPrivate(thread: string): boolean {
    return this.partOf(thread) !== this.shared;
  }

  /** The thread of a workspace that commands act on unless they name another. */
  currentThread(root: string): ThreadSummary | undefined {
    return this.#current(root).among(this.threads(root));
  }

  chooseThread(root: string, thread: string): void {
    const last = (part: StorePart | undefined) => (part ? new OperationLog(part.database).last() : 0);
    this.#current(root).choose(thread, { shared: last(this.shared), private: last(this.private) });
  }

  #current(root: string): CurrentThread {
    return new CurrentThread(this.directories.state, root);
  }

  /** The named saves of all threads; see `threads/sessions.ts`. */
  savedPoints(): SavedPoint[] {
    return this.parts().flatMap(({ database }) => readSavedPoints(database));
  }

  read<T>(thread: string, look: (history: History) => T): T {
    return this.partOf(thread).threads.read(thread, look);
  }

  /** Makes reading the state after an operation quick, however far back; see `ThreadStore.reach`. */
  reach(thread: string, operation: OperationId): Promise<void> {
    return this.partOf(thread).threads.reach(thread, operation);
  }

  /** Reads a thread with the index of its names; `names/` makes names and finds what they mean. */
  names<T>(thread: string, look: (scope: NameScope) => T): T {
    const { threads, database } = this.partOf(thread);
    const index = new NameIndex(database);
    return threads.read(thread, (history) => look({ thread, history, index }));
  }

  /** Commits an operation that changes no files. */
  change(
    thread: string,
    build: (state: State, context: Context) => Built,
    options: ChangeOptions = {},
    told?: (after: State) => void,
  ): Operation | Refusal {
    return this.partOf(thread).threads.change(
      thread,
      (history) => staleRefusal(history, options.expectedVersion) ?? build(history.state, this.context(options.actor)),
      told,
    );
  }

  /** Commits all changes that `work` makes to threads that are not private together, with one flush. */
  together(work: () => void): void {
    this.shared.database.transaction(work);
  }

  /** The snapshots in the part that holds a thread. */
  snapshotLog(thread: string): SnapshotLog {
    return new SnapshotLog(this.partOf(thread).database);
  }

  snapshotLogs(): readonly SnapshotLog[] {
    return this.parts().map(({ database }) => new SnapshotLog(database));
  }

  /** The prompts that wait, in the part that holds a thread. */
  queuedPrompts(thread: string): QueuedPrompts {
    return new QueuedPrompts(this.partOf(thread).database);
  }

  /** The last capture of a workspace in the thread's part. It only reads; nothing is captured. */
  lastCapture(thread: string, root: string): DescribedCapture | undefined {
    const { database } = this.partOf(thread);
    const last = new CaptureLog(database).lastOf(Buffer.from(root));
    return last && describeCapture(database, last.id);
  }

  get now(): () => number {
    return this.identity.now;
  }

  context(actor: Actor = this.actor): Context {
    return this.identity.context(actor);
  }

  close(): void {
    this.#private?.database.close();
    this.shared.database.close();
  }
}

/** Keeps the order within each part. Threads of different parts are compared by time. */
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
