/**
 * Carries out the steps of sync that core decides, for one store and one vault.
 *
 *     poll ──▶ the threads that changed ──┐
 *     outbox ─────────────────────────────┴▶ each thread: nextStep ─▶ call the server ─▶ after… ─▶ ONE transaction
 *
 * Everything that matters is stored: a session that is killed at any point is continued by the next one, which may be
 * of another process. A lock of the operating system allows one session at a time to take steps; the state is read anew
 * under it. The session opens the shared part of the store only: private threads are in another file.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import {
  afterChanges,
  afterFault,
  afterMerge,
  afterPull,
  afterPush,
  afterRegister,
  afterRewind,
  type Moment,
  NEW_THREAD,
  type NoAnswer,
  nextStep,
  refuseSync,
  SYNC_LIMITS,
  type SyncOutcome,
  type SyncRefusal,
  type ThreadChange,
  type ThreadOutcome,
  type ThreadStep,
  type ThreadSync,
  type VaultOutcome,
  vaultAfter,
} from "@retake/core/sync";
import { ObjectStore } from "@retake/workspace";
import { adoptMerge } from "../exchange/adopt-head.ts";
import type { Identity } from "../store/identity.ts";
import { SyncRows } from "../store/sync-rows.ts";
import { fetchBlobs, sendBlobs } from "./blob-transfer.ts";
import { type PullPart, type PullStep, pullParts } from "./pull-parts.ts";
import type { SegmentItems } from "./read-segment.ts";
import { sealSegment } from "./segment-codec.ts";
import { segmentContent } from "./segment-content.ts";
import { SegmentIntake, type SegmentReader, WORTH_A_THREAD } from "./segment-intake.ts";
import { notLoggedIn } from "./sync-error.ts";
import type { SyncPart } from "./sync-part.ts";
import type { ThreadKeys } from "./thread-keys.ts";
import type { SyncTransport } from "./transport.ts";
import type { VaultAccess } from "./vault-access.ts";

export interface SyncSessionOptions {
  readonly part: SyncPart;
  readonly identity: Identity;
  readonly access: VaultAccess;
  readonly call: SyncTransport;
  /** Whether this machine still is that device of the vault. */
  readonly isJoined: () => boolean;
  /** Called after each step that may have stored something. */
  readonly onStep: () => void;
  /** Does what `pull` does where it keeps nobody waiting; without it, every pull is done here. */
  readonly pullElsewhere?: (thread: string, step: PullStep, signal: AbortSignal | undefined) => Promise<void>;
}

export class SyncSession {
  readonly #part: SyncPart;
  readonly #rows: SyncRows;
  readonly #identity: Identity;
  readonly #access: VaultAccess;
  readonly #call: SyncTransport;
  readonly #objects: ObjectStore;
  readonly #intake: SegmentIntake;
  readonly #isJoined: () => boolean;
  readonly #onStep: () => void;
  readonly #pullElsewhere: SyncSessionOptions["pullElsewhere"];

  constructor({ part, identity, access, call, isJoined, onStep, pullElsewhere }: SyncSessionOptions) {
    this.#part = part;
    this.#rows = new SyncRows(part.database);
    this.#identity = identity;
    this.#access = access;
    this.#call = call;
    this.#objects = new ObjectStore(part.database, join(part.directory, "packs"));
    this.#intake = new SegmentIntake({ part, rows: this.#rows, identity, access, objects: this.#objects });
    this.#isJoined = isJoined;
    this.#onStep = onStep;
    this.#pullElsewhere = pullElsewhere;
  }

  /**
   * Asks for changes since the stored cursor, waiting up to `wait` seconds for the first. Answers whether there is more to ask
   * for, and whether there is anything new: the device's own pushes are listed too. A power loss may take back the cursor with
   * the states of the threads. Then the same is asked for again, so that no turn has to wait for a flush.
   */
  async poll(wait: number, signal?: AbortSignal): Promise<{ readonly more: boolean; readonly isNews: boolean }> {
    const { vault } = this.#access;
    const { cursor, seen } = this.#rows.vault();
    const input = { seen, vault, ...(cursor === undefined ? {} : { since: cursor }), ...(wait > 0 ? { wait } : {}) };
    const outcome = await this.#call("listChanges", input, signal);
    if (signal?.aborted) return { more: false, isNews: false };
    const done = this.#commit(() => {
      const present = this.#rows.vault();
      // Another process has asked meanwhile, and knows more.
      if (present.cursor !== cursor) return undefined;
      const threads = outcome.kind === "answer" ? this.#statesOf(outcome.answer.threads) : this.#states();
      const found = afterChanges(present, threads, seen, outcome, this.#moment());
      // Asked for again with the vault's new key: a key is named once, in the change that brought it.
      if (this.#hasKeyOfOthers(found)) {
        this.#stopForKey();
        return { ...found, threads: NONE, more: false, isNews: true };
      }
      this.#storeChanges(found);
      const isNew = ([id, { thread }]: readonly [string, ThreadOutcome]) => !isDeepStrictEqual(thread, threads.get(id));
      return { ...found, isNews: [...found.threads].some(isNew) };
    }, "unflushed");
    if (done && outcome.kind === "answer" && (done.threads.size > 0 || done.more)) this.#onStep();
    return { more: done?.more ?? true, isNews: done?.isNews ?? true };
  }

  #states(): ReadonlyMap<string, ThreadSync> {
    return new Map([...this.#rows.threads()].map(([id, { state }]) => [id, state]));
  }

  /** Most answers name none of thousands of threads, or one. */
  #statesOf(threads: readonly ThreadChange[]): ReadonlyMap<string, ThreadSync> {
    return new Map(threads.map(({ thread }) => [thread, this.#rows.thread(thread).state]));
  }

  #hasKeyOfOthers({ keys }: VaultOutcome): boolean {
    return [...keys].some(
      ([id, wrapped]) => this.#rows.thread(id).key === undefined && this.#access.unwrap(id, wrapped) === undefined,
    );
  }

  #storeChanges({ vault, threads, keys }: VaultOutcome): void {
    this.#rows.setVault(vault);
    for (const [id, outcome] of threads) this.#storeThread(id, outcome);
    for (const [id, wrapped] of keys) this.#learnKey(id, wrapped);
  }

  /** Takes all steps that are due now. Answers when the next one is due, if any is. */
  async advance(signal?: AbortSignal): Promise<number | undefined> {
    let next: number | undefined;
    const [known, waiting] = [this.#rows.threads(), this.#rows.pending()];
    const now = this.#identity.now();
    for (const thread of new Set([...known.keys(), ...waiting.keys()])) {
      const { state } = known.get(thread) ?? { state: NEW_THREAD };
      if (QUIET.has(nextStep(state, { pending: waiting.has(thread), now }).kind)) continue;
      const until = await this.#advanceThread(thread, signal).catch((error: unknown) => this.#failed(thread, error));
      if (signal?.aborted || this.#rows.vault().stop) return undefined;
      if (until !== undefined) next = Math.min(next ?? until, until);
    }
    return next;
  }

  async #advanceThread(thread: string, signal: AbortSignal | undefined): Promise<number | undefined> {
    for (let steps = 0; ; steps += 1) {
      const { state } = this.#rows.thread(thread);
      const step = nextStep(state, { pending: this.#rows.isPending(thread), now: this.#identity.now() });
      if (step.kind === "wait") return step.until;
      if (step.kind === "idle" && steps > 0)
        this.#commit(() => this.#rows.setSynced(thread, this.#identity.now()), "unflushed");
      if (step.kind === "idle" || step.kind === "stopped") return undefined;
      const keys = step.kind === "register" ? undefined : this.#keysOf(thread);
      if (step.kind !== "register" && !keys) return this.#withoutKey();
      if (step.kind === "merge") this.#merge(thread, step);
      else if (step.kind === "register") await this.#register(thread, signal);
      else if (step.kind === "push") await this.#push(thread, keys as ThreadKeys, signal);
      else if (this.#pullElsewhere && isLong(step)) await this.#pullElsewhere(thread, step, signal);
      else await this.pull(thread, step, signal);
      this.#onStep();
      if (signal?.aborted || this.#rows.vault().stop) return undefined;
    }
  }

  /** One thread that cannot be read or stored does not keep the others from being synced. */
  #failed(thread: string, error: unknown): number {
    const message = error instanceof Error ? error.message : String(error);
    return this.#commit(() => {
      const state = afterFault(this.#rows.thread(thread).state, message, this.#moment());
      this.#rows.setThread(thread, state);
      return Math.max(state.pull.next_try, state.push.next_try);
    });
  }

  async #register(thread: string, signal: AbortSignal | undefined): Promise<void> {
    const { state, key } = this.#rows.thread(thread);
    // Stored before it is sent: an answer that is lost must not leave a key that nobody has.
    if (key === undefined)
      this.#commit(() => {
        this.#rows.setThread(thread, state);
        this.#rows.setKey(thread, this.#access.newThreadKey(thread));
      });
    const wrapped_key = this.#access.wrap(thread, this.#rows.thread(thread).key ?? "");
    const { vault, kid } = this.#access;
    const { seen } = this.#rows.vault();
    const outcome = await this.#call("registerThread", { vault, thread, seen, kid, wrapped_key }, signal);
    if (signal?.aborted) return;
    this.#commit(() => {
      this.#store(thread, seen, afterRegister(this.#rows.thread(thread).state, outcome, this.#moment()));
      if (outcome.kind === "answer") this.#learnKey(thread, outcome.answer.wrapped_key);
    });
  }

  async #push(thread: string, keys: ThreadKeys, signal: AbortSignal | undefined): Promise<void> {
    const { vault, device, kid } = this.#access;
    const content = segmentContent(this.#part, this.#rows, this.#objects, thread, keys);
    const sent = { segment: randomUUID(), operations: content.operations.map(({ id }) => id) };
    const names = [...content.contents].flatMap(([hash, size]) => keys.blobNames(hash, size));
    const title = { id: sent.segment, vault, thread, device, kid, operations: content.operations, blobs: names };
    const failure = await sendBlobs({
      ...{ call: this.#call, vault, keys, objects: this.#objects, contents: content.contents, kid, signal },
    });
    const { seen } = this.#rows.vault();
    const segment = sealSegment(keys, title, content.lines);
    const tooLarge = segment.envelope.size > SYNC_LIMITS.segment_bytes ? refuseSync("too-large", TOO_LARGE) : undefined;
    const outcome: SyncOutcome<"pushSegment"> =
      failure ?? tooLarge ?? (await this.#call("pushSegment", { vault, thread, seen, segment }, signal));
    if (signal?.aborted) return;
    this.#commit(() => {
      this.#store(thread, seen, afterPush(this.#rows.thread(thread).state, sent, outcome, this.#moment()));
      if (outcome.kind === "answer") for (const tree of content.trees) this.#rows.addTree(thread, tree);
    });
  }

  /** Stores everything that the server has of a thread after a segment. */
  async pull(thread: string, step: PullStep, signal: AbortSignal | undefined): Promise<void> {
    const { vault } = this.#access;
    const keys = this.#keysOf(thread);
    if (!keys) return this.#withoutKey();
    let reader: SegmentReader | undefined;
    const parts = pullParts({
      step,
      ask: async (after) => {
        const { seen } = this.#rows.vault();
        return { seen, outcome: await this.#call("pullSegments", { vault, thread, seen, after }, signal) };
      },
      reader: (segments) => {
        reader = this.#intake.reader(thread, keys, segments);
        return reader;
      },
    });
    try {
      for await (const part of parts) {
        if (signal?.aborted) return;
        await this.#takeIn(thread, keys, part, signal);
        const isWhole = this.#rows.thread(thread).state.pulled === part.step.after + part.found.length;
        if (signal?.aborted || part.isLast || part.outcome.kind !== "answer" || !isWhole) return;
        this.#onStep();
        await nextTurn();
      }
    } finally {
      await reader?.close();
    }
  }

  /** Fetches the contents that the segments of a part need, and stores everything in one transaction. */
  async #takeIn(thread: string, keys: ThreadKeys, part: PullPart, signal: AbortSignal | undefined): Promise<void> {
    const { vault } = this.#access;
    const { step, seen, outcome, found } = part;
    const items = found.filter((each): each is SegmentItems => each.kind === "read");
    const contents = new Map(items.flatMap((each) => [...each.contents]));
    const fetched = await fetchBlobs({ call: this.#call, vault, keys, objects: this.#objects, contents, signal });
    if (signal?.aborted) return this.#objects.forget();
    const failed: SyncRefusal | NoAnswer | undefined = fetched.kind === "fetched" ? undefined : fetched;
    // A power loss may take back a part with its cursor: it is pulled again. Nothing is sent before the last is flushed.
    const goesOn = !part.isLast && !failed && items.length === found.length;
    try {
      this.#commit(
        () => {
          const { state } = this.#rows.thread(thread);
          const after = afterPull(state, step, failed ?? outcome, failed ? [] : found, this.#moment());
          const stored = items.slice(0, after.store);
          this.#intake.receive(thread, stored);
          this.#store(thread, seen, after);
          this.#intake.adopt(thread, stored);
        },
        goesOn ? "unflushed" : "transaction",
      );
    } finally {
      this.#objects.forget();
    }
  }

  #merge(thread: string, { heads }: Extract<ThreadStep, { kind: "merge" }>): void {
    this.#commit(() => {
      // The user has gone on meanwhile: that is pushed first.
      if (this.#rows.isPending(thread)) return;
      adoptMerge(
        this.#part.threads,
        this.#identity,
        thread,
        heads.map(({ operation }) => operation),
      );
      this.#rows.setThread(thread, afterMerge(this.#rows.thread(thread).state));
    });
  }

  /** A logout in another process must not be followed by rows of the vault that was left: the next vault would get them. */
  #commit<T>(work: () => T, how: "transaction" | "unflushed" = "transaction"): T {
    return this.#part.database[how](() => {
      if (!this.#isJoined()) throw notLoggedIn();
      return work();
    });
  }

  /** `sent`: the changes of the vault that the request carried. */
  #store(thread: string, sent: readonly string[], outcome: ThreadOutcome): void {
    this.#storeThread(thread, outcome);
    this.#rows.setVault(vaultAfter(this.#rows.vault(), sent, outcome));
    if (outcome.rewound) this.#storeChanges(afterRewind(this.#states()));
  }

  #storeThread(thread: string, { thread: state, confirm, requeue }: ThreadOutcome): void {
    if (requeue) this.#rows.requeue(thread);
    this.#rows.confirm(confirm);
    this.#rows.setThread(thread, state);
  }

  /** The server's key of a thread counts. One that cannot be opened is of another vault key. */
  #learnKey(thread: string, wrapped: string): void {
    const key = this.#access.unwrap(thread, wrapped);
    if (key !== undefined) this.#rows.setKey(thread, key);
    else if (this.#rows.thread(thread).key === undefined) this.#stopForKey();
  }

  #keysOf(thread: string): ThreadKeys | undefined {
    const { key } = this.#rows.thread(thread);
    return key === undefined ? undefined : this.#access.threadKeys(thread, key);
  }

  #withoutKey(): undefined {
    this.#commit(() => this.#stopForKey());
  }

  #stopForKey(): void {
    const message = "The vault has another key than this device. Nothing was changed.";
    this.#rows.setVault({ ...this.#rows.vault(), stop: { of: "all", code: "wrong-key", message } });
  }

  #moment(): Moment {
    return { now: this.#identity.now(), jitter: this.#identity.chance() };
  }

  close(): void {
    this.#objects.close();
  }
}

function isLong({ after, last_seq }: PullStep): boolean {
  return last_seq - after >= WORTH_A_THREAD;
}

const NONE: VaultOutcome["threads"] = new Map();

const TOO_LARGE =
  "One change of this thread has more than 32 MB, compressed, and no server takes so much at once. The thread is whole on this machine; from that change on it is not synced.";

/** Steps that need nothing to be done, as most threads have. */
const QUIET: ReadonlySet<ThreadStep["kind"]> = new Set(["idle", "stopped"]);
