import { setImmediate as nextTurn } from "node:timers/promises";
import { activeTake, type Operation, type OperationId, tree } from "@retake/core";
import { headToAdopt, type Segment, type ServerHead } from "@retake/core/sync";
import { CaptureLog, type ObjectStore } from "@retake/workspace";
import { adoptHead, followLine } from "../exchange/adopt-head.ts";
import { TreeImport } from "../exchange/import-trees.ts";
import type { KnownOperation } from "../exchange/operation-reader.ts";
import type { Identity } from "../store/identity.ts";
import type { SyncRows } from "../store/sync-rows.ts";
import { readSegment, type SegmentItems } from "./read-segment.ts";
import type { SyncPart } from "./sync-part.ts";
import type { ThreadKeys } from "./thread-keys.ts";
import type { VaultAccess } from "./vault-access.ts";

/** Takes pulled segments into the store: reads and checks them, stores them, and moves the thread forward. */
export class SegmentIntake {
  readonly #part: SyncPart;
  readonly #rows: SyncRows;
  readonly #identity: Identity;
  readonly #access: VaultAccess;
  readonly #objects: ObjectStore;

  constructor(options: {
    readonly part: SyncPart;
    readonly rows: SyncRows;
    readonly identity: Identity;
    readonly access: VaultAccess;
    readonly objects: ObjectStore;
  }) {
    this.#part = options.part;
    this.#rows = options.rows;
    this.#identity = options.identity;
    this.#access = options.access;
    this.#objects = options.objects;
  }

  /** Reads segments up to the first that is unreadable. Others are served after each. */
  async read(
    thread: string,
    keys: ThreadKeys,
    segments: readonly Segment[],
  ): Promise<ReturnType<typeof readSegment>[]> {
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
      await nextTurn();
    }
    return found;
  }

  /** Stores pulled segments: operations, trees and contents. The workspace is never touched. */
  receive(thread: string, segments: readonly SegmentItems[]): void {
    const { database, threads } = this.#part;
    const captures = new CaptureLog(database);
    const trees = new TreeImport(database, ({ hash }) => {
      if (!this.#objects.has(hash)) this.#rows.noteAbsent(hash);
    });
    for (const { operations, read, trees: found } of segments) {
      const present = threads.operationsIn(thread, operations);
      for (const { operation, stored } of read) {
        if (present.has(operation.id)) continue;
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

  /**
   * When everything is pulled, the thread moves forward to a head that follows all that it has here. While more is to
   * come, it moves along as long as there is only one way to go.
   */
  adopt(thread: string, stored: readonly SegmentItems[]): void {
    const { threads } = this.#part;
    const { pulled, last_seq, heads } = this.#rows.thread(thread).state;
    const ours = threads.get(thread)?.head;
    const line = heads.length === 1 ? lineFrom(ours, stored) : undefined;
    const before = ours === undefined ? "" : this.#treeOf(thread);
    if (line) followLine(threads, this.#identity, thread, line);
    else if (pulled >= last_seq) {
      const head = this.#headOf(thread, ours, heads);
      if (head !== undefined) adoptHead(threads, this.#identity, thread, head);
    }
    if (threads.has(thread) && this.#treeOf(thread) !== before) this.#rows.noteFilesHere(thread, before);
  }

  #headOf(thread: string, ours: OperationId | undefined, heads: readonly ServerHead[]): OperationId | undefined {
    if (ours === undefined) return heads[0]?.operation;
    return this.#part.threads.read(thread, (history) => headToAdopt(history, ours, heads));
  }

  #treeOf(thread: string): string {
    return this.#part.threads.read(thread, ({ state }) => tree(state, activeTake(state)));
  }
}

/** The operations of some segments when each follows only the one before it, and the first our head. */
function lineFrom(ours: OperationId | undefined, segments: readonly SegmentItems[]): readonly Operation[] | undefined {
  const line = segments.flatMap(({ read }) => read.map(({ operation }) => operation));
  const isNext = ({ parents }: Operation, at: number) =>
    parents.length < 2 && parents[0] === (at === 0 ? ours : line[at - 1]?.id);
  return line.length > 0 && line.every(isNext) ? line : undefined;
}

function birthplace({ diff }: SegmentItems["read"][number]["operation"]): string {
  const born = diff.changes.find(({ id }) => id === "thread");
  return born?.kind === "create" ? String(born.after["workspace_root"] ?? "") : "";
}
