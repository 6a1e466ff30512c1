import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { activeTake, type Operation, type OperationId, tree } from "@retake/core";
import { headToAdopt, type Segment, type ServerHead } from "@retake/core/sync";
import { CaptureLog, type ObjectStore } from "@retake/workspace";
import { adoptHead, followLine } from "../exchange/adopt-head.ts";
import { TreeImport } from "../exchange/import-trees.ts";
import type { Identity } from "../store/identity.ts";
import type { SyncRows } from "../store/sync-rows.ts";
import type { FoundSegment, SegmentItems } from "./read-segment.ts";
import { SegmentSequence } from "./segment-sequence.ts";
import { SegmentThread } from "./segment-thread.ts";
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

  /** A reader of the segments of one pull: in a thread of its own where there are many, since starting one takes 50 ms. */
  reader(thread: string, keys: ThreadKeys, segments: number): SegmentReader {
    const { vault, device } = this.#access;
    if (segments < WORTH_A_THREAD) {
      const sequence = new SegmentSequence({ vault, device, thread, keys }, this.#rows);
      return new SegmentReaderHere(sequence);
    }
    const file = join(this.#part.directory, "retake.db");
    return new SegmentThread({ file, key: keys.key, vault, thread, device });
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
      const added = read.filter(({ operation }) => !present.has(operation.id));
      const first = added.find(({ operation }) => operation.parents.length === 0);
      if (first) threads.place(thread, birthplace(first.operation));
      threads.receiveSynced(thread, added);
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

export interface SegmentReader {
  /** Answers come in the order of the questions. */
  read(segment: Segment): Promise<FoundSegment>;
  close(): Promise<void>;
}

/** So many segments are as much work as to start a thread. */
export const WORTH_A_THREAD = 10;

class SegmentReaderHere implements SegmentReader {
  readonly #sequence: SegmentSequence;
  #last: Promise<unknown> = Promise.resolve();

  constructor(sequence: SegmentSequence) {
    this.#sequence = sequence;
  }

  /** Others are served after each segment. */
  read(segment: Segment): Promise<FoundSegment> {
    const found = this.#last.then(() => nextTurn()).then(() => this.#sequence.read(segment));
    this.#last = found.catch(() => undefined);
    return found;
  }

  async close(): Promise<void> {
    await this.#last;
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
