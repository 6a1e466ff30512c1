/**
 * Sync of one store. It is loaded when it is first needed: a machine that does not sync pays nothing for it.
 *
 * The worker runs in processes that stay. Between its passes it waits for whichever comes first: a change on the server
 * (long poll), an operation in the outbox, the time of the next attempt, or a call of `wake`.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAsked, isDue, nextStep, SYNC_LIMITS } from "@retake/core/sync";
import { bytePath, lockWorkspace } from "@retake/workspace";
import type { Directories } from "../store/directories.ts";
import type { Identity } from "../store/identity.ts";
import { openDatabase } from "../store/open-database.ts";
import { SyncRows } from "../store/sync-rows.ts";
import { SyncAccount } from "./account.ts";
import { LoginFile, type ReadyLogin, type SyncLogin } from "./login-file.ts";
import { openSession } from "./open-session.ts";
import { OutboxWatch } from "./outbox-watch.ts";
import { pullInThread } from "./pull-thread.ts";
import { SyncShares } from "./shares.ts";
import { notLoggedIn, SyncError } from "./sync-error.ts";
import { type SyncPart, syncPart } from "./sync-part.ts";
import type { SyncSession, SyncSessionOptions } from "./sync-session.ts";
import { type SyncStatus, syncStatus } from "./sync-status.ts";

export interface SyncOptions {
  readonly directories: Directories;
  readonly identity: Identity;
  /** The id of this machine in the states of threads. */
  readonly device: string;
  /** Called after each step that may have stored operations. */
  readonly onStep: () => void;
  /** Called after each pass, when the state of sync may have changed. */
  readonly onPass: () => void;
}

/** How often the outbox is looked at. */
const LOOK_MS = 1000;
/** How often a process tries to get the lock that another one has. */
const LOCK_MS = 100;
const LONGEST_LOCK_MS = 120_000;

export class Sync {
  readonly account: SyncAccount;
  readonly shares: SyncShares;
  readonly #options: SyncOptions;
  readonly #file: LoginFile;
  readonly #part: SyncPart;
  readonly #rows: SyncRows;
  #worker: { readonly ending: AbortController; readonly ended: Promise<void> } | undefined;
  #wake: () => void = () => undefined;
  /** Why the last pass of the worker failed, if it did. */
  #failure: string | undefined;

  constructor(options: SyncOptions) {
    const { directories, device } = options;
    this.#options = options;
    this.#file = new LoginFile(directories.config);
    this.#part = syncPart(directories.data, openDatabase(join(directories.data, "retake.db")), device);
    this.#rows = new SyncRows(this.#part.database);
    this.account = new SyncAccount(this.#file, this.#rows);
    this.shares = new SyncShares(this.#file, this.#rows, this.#part.threads, () => options.identity.now());
  }

  status(): SyncStatus {
    const status = syncStatus(this.#login(), this.#rows, this.#part.threads);
    if (this.#failure === undefined || status.problem) return status;
    return { ...status, problem: { code: "failed", message: this.#failure } };
  }

  #login(): SyncLogin | SyncError | undefined {
    try {
      return this.#file.read();
    } catch (error) {
      if (error instanceof SyncError) return error;
      throw error;
    }
  }

  /** Starts the worker, unless it runs. */
  start(): void {
    if (this.#worker) {
      this.wake();
      return;
    }
    const ending = new AbortController();
    this.#worker = { ending, ended: this.#work(ending.signal) };
  }

  /** Makes the worker look at once. */
  wake(): void {
    this.#wake();
  }

  /** Syncs everything now, whatever failed before. Resolves when nothing is left to do, or when something fails. */
  async now(signal?: AbortSignal): Promise<SyncStatus> {
    if (!this.#file.ready()) throw notLoggedIn();
    this.#clearStops();
    this.#retryNow();
    await this.#pass(signal);
    if (this.#mergeAll() && !signal?.aborted) await this.#pass(signal);
    return this.status();
  }

  async close(): Promise<void> {
    this.#worker?.ending.abort();
    await this.#worker?.ended;
    this.#part.database.close();
  }

  /** No failure ends the worker: the process that it runs in does other work. */
  async #work(signal: AbortSignal): Promise<void> {
    try {
      this.#clearStops();
    } catch (error) {
      this.#failed(error);
    }
    while (!signal.aborted) {
      const next = await this.#pass(signal).catch((error: unknown) => this.#failed(error));
      if (signal.aborted) return;
      await this.#wait(next, signal).catch((error: unknown) => this.#pause(error, signal));
    }
  }

  /** A failure of the disk or of the login file: `status` names it, and it is tried again later. */
  #failed(error: unknown): number {
    const isLogout = error instanceof SyncError && error.code === "not-logged-in";
    this.#failure = isLogout ? undefined : error instanceof Error ? error.message : String(error);
    return this.#options.identity.now() + FAILURE_PAUSE_MS;
  }

  /** Without a login file that can be read, there is nothing to wait for. */
  async #pause(error: unknown, signal: AbortSignal): Promise<void> {
    this.#failed(error);
    await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** Asks for changes, then takes all steps that are due. Answers when to look again at the latest. */
  async #pass(signal: AbortSignal | undefined): Promise<number | undefined> {
    if (!this.#file.ready()) return undefined;
    const lock = await this.#lock(signal);
    if (!lock) return undefined;
    try {
      this.#failure = undefined;
      const next = await this.#attempt(signal);
      const isOtherKey = this.#rows.vault().stop?.code === "wrong-key";
      return isOtherKey && (await this.#takeOverKey()) ? await this.#attempt(signal) : next;
    } finally {
      await lock.release();
      this.#options.onPass();
    }
  }

  async #attempt(signal: AbortSignal | undefined): Promise<number | undefined> {
    const login = this.#file.ready();
    if (!login || this.#rows.vault().stop) return undefined;
    const session = this.#session(login);
    try {
      while ((await session.poll(0, signal)).more && !signal?.aborted);
      const { stop, poll } = this.#rows.vault();
      if (stop || signal?.aborted) return undefined;
      const next = await session.advance(signal);
      return poll.error ? Math.min(next ?? poll.next_try, poll.next_try) : next;
    } finally {
      session.close();
    }
  }

  /** Another device has changed the key of the vault, and sealed it for this one. */
  async #takeOverKey(): Promise<boolean> {
    const found = await this.account.refreshKey().catch((error: unknown) => {
      if (error instanceof SyncError) return false;
      throw error;
    });
    if (!found) return false;
    this.#clearStops(["wrong-key"]);
    this.#retryNow();
    return true;
  }

  #session(login: ReadyLogin): SyncSession {
    const { directories, device, identity, onStep } = this.#options;
    const pullElsewhere: SyncSessionOptions["pullElsewhere"] = (thread, step, signal) =>
      pullInThread({ directories, device, login, thread, step }, onStep, signal);
    return openSession({ part: this.#part, file: this.#file, login, identity, onStep, pullElsewhere });
  }

  /** One process at a time takes steps. The operating system releases the lock of a process that is killed. */
  async #lock(signal: AbortSignal | undefined) {
    const { directories, identity } = this.#options;
    for (const until = identity.now() + LONGEST_LOCK_MS; identity.now() < until && !signal?.aborted; ) {
      const lock = lockWorkspace(directories.state, bytePath(directories.data));
      if (lock) return lock;
      await sleep(LOCK_MS, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }

  async #wait(next: number | undefined, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
      either.addEventListener("abort", () => resolve(), { once: true });
    });
    const login = this.#file.ready();
    const { stop, poll } = this.#rows.vault();
    const listening = login && !stop && !poll.error ? this.#listen(login, either) : undefined;
    try {
      await Promise.race([woken, this.#look(next, either), ...(listening ? [listening] : [])]);
    } finally {
      over.abort();
      await listening;
    }
  }

  /** Resolves when the server names changes that this device did not make, or when it cannot be asked. */
  async #listen(login: ReadyLogin, signal: AbortSignal): Promise<void> {
    const session = this.#session(login);
    try {
      for (let isNews = false; !isNews && !signal.aborted && !this.#rows.vault().poll.error; )
        isNews = (await session.poll(SYNC_LIMITS.wait_seconds, signal)).isNews;
    } catch (error) {
      this.#failed(error);
    } finally {
      session.close();
    }
  }

  /**
   * Resolves when operations are in the outbox and are to be sent, at `next`, or when another process has logged in or
   * out, or has made the vault work again.
   */
  async #look(next: number | undefined, signal: AbortSignal): Promise<void> {
    const { identity } = this.#options;
    const before = this.#situation();
    const outbox = new OutboxWatch();
    for (let version: number | undefined, count = 0; !signal.aborted; ) {
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (next !== undefined && isDue({ retries: 0, next_try: next }, identity.now())) return;
      if (this.#situation() !== before) return;
      if (!this.#file.ready() || this.#rows.vault().stop) continue;
      // Operations are added by other connections. While there are none, a look reads nothing else, however many wait.
      const present = this.#rows.othersVersion();
      if (present !== version) count = this.#sendable();
      version = present;
      if (outbox.look(count)) return;
    }
  }

  #situation(): string {
    return `${this.#file.ready()?.joined.device} ${this.#rows.vault().stop?.code}`;
  }

  /** The number of operations in the outbox that may be sent now. */
  #sendable(): number {
    const now = this.#options.identity.now();
    const counts = [...this.#rows.pending()].map(([thread, count]) => {
      const { kind } = nextStep(this.#rows.thread(thread).state, { pending: true, now });
      return kind === "wait" || kind === "stopped" ? 0 : count;
    });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** A newer program may understand what an older one did not. */
  #clearStops(codes: readonly string[] = ["newer-version", "damaged", "wrong-key"]): void {
    this.#part.database.transaction(() => {
      const { stop, ...vault } = this.#rows.vault();
      if (stop && codes.includes(stop.code)) this.#rows.setVault(vault);
      for (const [id, { state }] of this.#rows.threads()) {
        const { stop: stopped, ...rest } = state;
        if (stopped && codes.includes(stopped.code)) this.#rows.setThread(id, rest);
      }
    });
  }

  /** Has threads merged that have several heads on the server. Answers whether there are any. */
  #mergeAll(): boolean {
    return this.#part.database.transaction(() => {
      const found = [...this.#rows.threads()].filter(([, { state }]) => afterAsked(state) !== state);
      for (const [id, { state }] of found) this.#rows.setThread(id, afterAsked(state));
      return found.length > 0;
    });
  }

  #retryNow(): void {
    this.#part.database.transaction(() => {
      const vault = this.#rows.vault();
      this.#rows.setVault({ ...vault, poll: { ...vault.poll, next_try: 0 } });
      for (const [id, { state }] of this.#rows.threads()) {
        const { pull, push } = state;
        if (pull.next_try > 0 || push.next_try > 0)
          this.#rows.setThread(id, { ...state, pull: { ...pull, next_try: 0 }, push: { ...push, next_try: 0 } });
      }
    });
  }
}

const FAILURE_PAUSE_MS = 30_000;
