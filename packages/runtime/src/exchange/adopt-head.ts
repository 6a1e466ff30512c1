import { hash } from "node:crypto";
import {
  activeTake,
  encode,
  hashOperation,
  keepTake,
  liveTakes,
  type Merge,
  mergeHeads,
  type Operation,
  type OperationId,
  operationFormat,
  refuse,
  relate,
  type TakeId,
} from "@retake/core";
import type { Identity } from "../store/identity.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { RefusedError } from "../undo/thread-files.ts";

/**
 * Moves a thread to a head from elsewhere, whose operations are already stored: forward when it follows ours, or to a
 * merge of the two when both have diverged. A merge of the same two heads elsewhere makes the same bytes. Whatever the
 * operations say, the take that is active here stays active: only this machine switches it.
 */
export function adoptHead(threads: ThreadStore, identity: Identity, thread: string, theirs: OperationId): void {
  threads.adopt(thread, () => moveTo(threads, identity, thread, theirs));
}

/** Moves a thread forward by stored operations of which each follows the one before, and the first our head. */
export function followLine(threads: ThreadStore, identity: Identity, thread: string, line: readonly Operation[]): void {
  threads.adopt(thread, () => staying(threads, identity, thread, () => threads.follow(thread, line)));
}

function moveTo(threads: ThreadStore, identity: Identity, thread: string, theirs: OperationId): void {
  if (!threads.has(thread)) {
    threads.forward(thread, theirs);
    return;
  }
  const ours = threads.read(thread, ({ state }) => state.head ?? "");
  const relation = threads.read(thread, (history) => relate(history, ours, theirs));
  if (relation.kind === "unrelated")
    throw new RefusedError(
      refuse("already-exists", "Another thread with this id is here already. Nothing was changed."),
    );
  if (relation.kind === "ahead") staying(threads, identity, thread, () => threads.forward(thread, theirs));
  if (relation.kind !== "diverged") return;
  // Without a server, the heads are ordered by their hashes: the same everywhere.
  const heads = [ours, theirs].sort((a, b) => (threads.hashOf(a) < threads.hashOf(b) ? -1 : 1));
  adoptMerge(threads, identity, thread, heads);
}

/**
 * Merges heads whose operations are stored, and moves the thread to the merge. The order of the heads decides, so it
 * must be the same on every machine.
 */
export function adoptMerge(
  threads: ThreadStore,
  identity: Identity,
  thread: string,
  heads: readonly OperationId[],
): void {
  threads.adopt(thread, () => mergeInto(threads, identity, thread, heads));
}

function mergeInto(threads: ThreadStore, identity: Identity, thread: string, heads: readonly OperationId[]): void {
  const { ours, left } = threads.read(thread, ({ state }) => ({ ours: state.head ?? "", left: activeTake(state) }));
  const merge = mergeOf(threads, thread, heads);
  for (const { operation, hash } of merge.operations) {
    const body = JSON.stringify(encode(operationFormat, operation));
    if (!threads.hasOperation(thread, operation.id))
      threads.receive(thread, operation, { id: operation.id, hash, body });
  }
  threads.forward(thread, merge.head.operation);
  // When the other line becomes the main one, the take that was active here is now a sibling of it.
  const sibling = merge.siblings.find(({ head, of }) => head === ours && of === left);
  stayAt(threads, identity, thread, sibling?.take ?? left);
}

/** Moves a thread. The take that is active here stays active. */
function staying(threads: ThreadStore, identity: Identity, thread: string, move: () => void): void {
  const left = threads.has(thread) ? threads.read(thread, ({ state }) => activeTake(state)) : undefined;
  move();
  if (left !== undefined) stayAt(threads, identity, thread, left);
}

function stayAt(threads: ThreadStore, identity: Identity, thread: string, take: TakeId): void {
  const isOther = threads.read(
    thread,
    ({ state }) => activeTake(state) !== take && liveTakes(state).some(({ id }) => id === take),
  );
  if (!isOther) return;
  const context = identity.context({ kind: "sync" });
  threads.change(thread, ({ state }) => keepTake(state, context, { take }));
}

function mergeOf(threads: ThreadStore, thread: string, heads: readonly OperationId[]): Merge {
  const ordered = heads.map((operation) => ({ operation, hash: threads.hashOf(operation) }));
  const text = (value: string) => hash("sha256", value);
  const hashes: Parameters<typeof mergeHeads>[2] = {
    text,
    operation: (operation, parents) => hashOperation(operation, parents, text),
  };
  const merge = threads.read(thread, (history) => mergeHeads(history, ordered, hashes));
  if (merge.kind === "refused") throw new RefusedError(merge);
  return merge;
}
