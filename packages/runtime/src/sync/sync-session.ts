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
import { activeTake, type OperationId, tree } from "@retake/core";
import {
  afterChanges,
  afterFault,
  afterMerge,
  afterPull,
  afterPush,
  afterRegister,
  afterRewind,
  headToAdopt,
  type Moment,
  NEW_THREAD,
  type NoAnswer,
  nextStep,
  type SyncOutcome,
  type SyncRefusal,
  type ThreadOutcome,
  type ThreadStep,
  type VaultOutcome,
  vaultAfter,
} from "@retake/core/sync";
import { CaptureLog, ObjectStore } from "@retake/workspace";
import { adoptHead, adoptMerge } from "../exchange/adopt-head.ts";
import { TreeImport } from "../exchange/import-trees.ts";
import type { KnownOperation } from "../exchange/operation-reader.ts";
import type { Identity } from "../store/identity.ts";
import type { StorePart } from "../store/store-part.ts";
import { SyncRows } from "../store/sync-rows.ts";
import { fetchBlobs, sendBlobs } from "./blob-transfer.ts";
import { readSegment, type SegmentItems } from "./read-segment.ts";
import { sealSegment } from "./segment-codec.ts";
import { segmentContent } from "./segment-content.ts";
import type { ThreadKeys } from "./thread-keys.ts";
import type { SyncTransport } from "./transport.ts";
import type { VaultAccess } from "./vault-access.ts";

/** The shared part of the store, on a connection of its own. Sync works on no files, so it has no log of the disk. */
export type SyncPart = Pick<StorePart, "directory" | "database" | "threads">;

export interface SyncSessionOptions {
  readonly part: SyncPart;
  readonly identity: Identity;
  readonly access: VaultAccess;
  readonly call: SyncTransport;
  /** Called after each step that may have stored something. */
  readonly onStep: () => void;
}

export class SyncSession {
  readonly #part: SyncPart;
  readonly #rows: SyncRows;
  readonly #identity: Identity;
  readonly #access: VaultAccess;
  readonly #call: SyncTransport;
  readonly #objects: ObjectStore;
  readonly #onStep: () => void;

  constructor({ part, identity, access, call, onStep }: SyncSessionOptions) {
    this.#part = part;
    this.#rows = new SyncRows(part.database);
    this.#identity = identity;
    this.#access = access;
    this.#call = call;
    this.#objects = new ObjectStore(part.database, join(part.directory, "packs"));
    this.#onStep = onStep;
  }

  /** Asks for changes since the stored cursor, waiting up to `wait` seconds for the first. Answers whether to ask again. */
  async poll(wait: number, signal?: AbortSignal): Promise<{ readonly more: boolean }> {
    const { vault } = this.#access;
    const { cursor, seen } = this.#rows.vault();
    const input = { seen, vault, ...(cursor === undefined ? {} : { since: cursor }), ...(wait > 0 ? { wait } : {}) };
    const outcome = await this.#call("listChanges", input, signal);
    if (signal?.aborted) return { more: false };
    const done = this.#part.database.transaction(() => {
      const present = this.#rows.vault();
      // Another process has asked meanwhile, and knows more.
      if (present.cursor !== cursor) return undefined;
      const threads = new Map([...this.#rows.threads()].map(([id, { state }]) => [id, state]));
      const found = afterChanges(present, threads, seen, outcome, this.#moment());
      this.#storeChanges(found);
      return found;
    });
    if (done && outcome.kind === "answer" && (done.threads.size > 0 || done.more)) this.#onStep();
    return { more: done?.more ?? true };
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
        this.#part.database.transaction(() => this.#rows.setSynced(thread, this.#identity.now()));
      if (step.kind === "idle" || step.kind === "stopped") return undefined;
      const keys = step.kind === "register" ? undefined : this.#keysOf(thread);
      if (step.kind !== "register" && !keys) return this.#withoutKey();
      if (step.kind === "merge") this.#merge(thread, step);
      else if (step.kind === "register") await this.#register(thread, signal);
      else if (step.kind === "push") await this.#push(thread, keys as ThreadKeys, signal);
      else await this.#pull(thread, step, keys as ThreadKeys, signal);
      this.#onStep();
      if (signal?.aborted || this.#rows.vault().stop) return undefined;
    }
  }

  /** One thread that cannot be read or stored does not keep the others from being synced. */
  #failed(thread: string, error: unknown): number {
    const message = error instanceof Error ? error.message : String(error);
    return this.#part.database.transaction(() => {
      const state = afterFault(this.#rows.thread(thread).state, message, this.#moment());
      this.#rows.setThread(thread, state);
      return Math.max(state.pull.next_try, state.push.next_try);
    });
  }

  async #register(thread: string, signal: AbortSignal | undefined): Promise<void> {
    const { state, key } = this.#rows.thread(thread);
    // Stored before it is sent: an answer that is lost must not leave a key that nobody has.
    if (key === undefined)
      this.#part.database.transaction(() => {
        this.#rows.setThread(thread, state);
        this.#rows.setKey(thread, this.#access.newThreadKey(thread));
      });
    const wrapped_key = this.#access.wrap(thread, this.#rows.thread(thread).key ?? "");
    const { vault, kid } = this.#access;
    const { seen } = this.#rows.vault();
    const outcome = await this.#call("registerThread", { vault, thread, seen, kid, wrapped_key }, signal);
    if (signal?.aborted) return;
    this.#part.database.transaction(() => {
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
    const outcome: SyncOutcome<"pushSegment"> =
      failure ?? (await this.#call("pushSegment", { vault, thread, seen, segment }, signal));
    if (signal?.aborted) return;
    this.#part.database.transaction(() => {
      this.#store(thread, seen, afterPush(this.#rows.thread(thread).state, sent, outcome, this.#moment()));
      if (outcome.kind === "answer") for (const tree of content.trees) this.#rows.addTree(thread, tree);
    });
  }

  async #pull(
    thread: string,
    step: Extract<ThreadStep, { kind: "pull" }>,
    keys: ThreadKeys,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { vault } = this.#access;
    const { seen } = this.#rows.vault();
    const outcome = await this.#call("pullSegments", { vault, thread, seen, after: step.after }, signal);
    if (signal?.aborted) return;
    const found = outcome.kind === "answer" ? this.#read(thread, keys, outcome.answer.segments) : [];
    const items = found.filter((each): each is SegmentItems => each.kind === "read");
    const contents = new Map(items.flatMap((each) => [...each.contents]));
    const fetched = await fetchBlobs({ call: this.#call, vault, keys, objects: this.#objects, contents, signal });
    if (signal?.aborted) return this.#objects.forget();
    const failed: SyncRefusal | NoAnswer | undefined = fetched.kind === "fetched" ? undefined : fetched;
    try {
      this.#part.database.transaction(() => {
        const { state } = this.#rows.thread(thread);
        const after = afterPull(state, step, failed ?? outcome, failed ? [] : found, this.#moment());
        this.#receive(thread, items.slice(0, after.store));
        this.#store(thread, seen, after);
        this.#adopt(thread);
      });
    } finally {
      this.#objects.forget();
    }
  }

  /** Reads segments up to the first that is unreadable. */
  #read(thread: string, keys: ThreadKeys, segments: readonly Parameters<typeof readSegment>[1][]) {
    const earlier = new Map<OperationId, KnownOperation>();
    const trees = new Set<string>();
    const context = {
      vault: this.#access.vault,
      device: this.#access.device,
      thread,
      keys,
      known: (id: OperationId) => earlier.get(id) ?? this.#rows.known(thread, id),
      isTree: (name: string) => trees.has(name) || this.#rows.hasTree(thread, name),
    };
    const found: ReturnType<typeof readSegment>[] = [];
    for (const segment of segments) {
      const read = readSegment(context, segment);
      found.push(read);
      if (read.kind === "unreadable") break;
      for (const { operation, stored } of read.read)
        earlier.set(operation.id, { hash: stored.hash, version: operation.version });
      for (const { name } of read.trees) trees.add(name);
    }
    return found;
  }

  /** Stores pulled segments: operations, trees and contents. The workspace is never touched. */
  #receive(thread: string, segments: readonly SegmentItems[]): void {
    const { database, threads } = this.#part;
    const captures = new CaptureLog(database);
    const trees = new TreeImport(database, ({ hash }) => {
      if (!this.#objects.has(hash)) this.#rows.noteAbsent(hash);
    });
    for (const { read, trees: found } of segments) {
      for (const { operation, stored } of read) {
        if (threads.hasOperation(thread, operation.id)) continue;
        if (operation.parents.length === 0) threads.place(thread, birthplace(operation));
        threads.receive(thread, operation, stored, true);
      }
      for (const tree of found) {
        this.#rows.addTree(thread, tree.name);
        // Without the tree that it leads from, which garbage collection has deleted here, its files are not known.
        if (tree.from === "" || captures.has(tree.from)) trees.add(tree);
      }
    }
    this.#objects.flush();
  }

  /** When everything is pulled, the thread moves forward to a head that follows all that it has here. */
  #adopt(thread: string): void {
    const { threads } = this.#part;
    const { pulled, last_seq, heads } = this.#rows.thread(thread).state;
    if (pulled < last_seq || heads.length === 0) return;
    const head = threads.has(thread)
      ? threads.read(thread, (history) => headToAdopt(history, history.state.head, heads))
      : heads[0]?.operation;
    if (head === undefined) return;
    const before = threads.has(thread) ? this.#treeOf(thread) : "";
    adoptHead(threads, this.#identity, thread, head);
    if (this.#treeOf(thread) !== before) this.#rows.noteFilesHere(thread, before);
  }

  #treeOf(thread: string): string {
    return this.#part.threads.read(thread, ({ state }) => tree(state, activeTake(state)));
  }

  #merge(thread: string, { heads }: Extract<ThreadStep, { kind: "merge" }>): void {
    this.#part.database.transaction(() => {
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

  /** `sent`: the changes of the vault that the request carried. */
  #store(thread: string, sent: readonly string[], outcome: ThreadOutcome): void {
    this.#storeThread(thread, outcome);
    this.#rows.setVault(vaultAfter(this.#rows.vault(), sent, outcome));
    if (outcome.rewound)
      this.#storeChanges(afterRewind(new Map([...this.#rows.threads()].map(([id, { state }]) => [id, state]))));
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
    this.#part.database.transaction(() => this.#stopForKey());
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

/** Steps that need nothing to be done, as most threads have. */
const QUIET: ReadonlySet<ThreadStep["kind"]> = new Set(["idle", "stopped"]);

function birthplace({ diff }: SegmentItems["read"][number]["operation"]): string {
  const born = diff.changes.find(({ id }) => id === "thread");
  return born?.kind === "create" ? String(born.after["workspace_root"] ?? "") : "";
}
