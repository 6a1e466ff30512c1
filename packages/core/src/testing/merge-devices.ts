import { createHash } from "node:crypto";
import { branch } from "../history/branch.ts";
import { line } from "../history/history.ts";
import { type Merge, mergeHeads } from "../history/merge.ts";
import type { Hashes, Head } from "../history/merge-two-heads.ts";
import { changeSetting } from "../operations/change-settings.ts";
import { editEntry } from "../operations/edit-entry.ts";
import { insertEntry, removeEntry } from "../operations/insert-entry.ts";
import { resetSession } from "../operations/reset-session.ts";
import { deleteTake, renameTake, switchTake } from "../operations/take.ts";
import { changeThread } from "../operations/thread.ts";
import { clearEntries } from "../operations/whole-conversation.ts";
import type { Operation, OperationId } from "../session/operation.ts";
import { isRefusal } from "../session/refusal.ts";
import { activeTake, entries, liveTakes, runningTurn } from "../session/view.ts";
import { hashOperation } from "../wire/operation-format.ts";
import { World } from "./world.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export const HASHES: Hashes = {
  text: sha256,
  operation: (operation, parents) => hashOperation(operation, parents, sha256),
};

export interface Stored {
  readonly operation: Operation;
  readonly hash: string;
}

/** A replica of one thread: the operations it knows, in the order of arrival, and its head. */
export class Device {
  readonly world = new World();
  readonly known = new Map<OperationId, Stored>();
  readonly name: string;
  #seen = 0;

  /** The clock of each device is off by `skew` milliseconds. */
  constructor(name: string, skew = 0) {
    this.name = name;
    const { history } = this.world;
    history.state = { ...history.state, device: name };
    this.#learnOwn();
    this.world.now += skew;
    const id = this.world.id.bind(this.world);
    this.world.id = (kind = "x") => id(`${name}-${kind}`);
  }

  /** Makes a random change; it may be refused. */
  work(deed: string, pick: number): void {
    DEEDS[deed]?.(this.world, pick);
    this.#learnOwn();
  }

  /** Adds operations of another device whose parents are known. */
  receive(stored: Stored): void {
    if (this.known.has(stored.operation.id)) return;
    this.known.set(stored.operation.id, stored);
    this.world.history.add(stored.operation);
  }

  heads(): Head[] {
    const parents = new Set([...this.known.values()].flatMap(({ operation }) => operation.parents));
    const tips = [...this.known.values()].filter(({ operation }) => !parents.has(operation.id));
    return tips.map(({ operation, hash }) => ({ operation: operation.id, hash }));
  }

  /** Merges all heads that it knows, in the given order, and moves to the result. */
  merge(order: (one: Head, other: Head) => number): Merge {
    const merge = mergeHeads(this.world.history, this.heads().sort(order), HASHES);
    if (isRefusal(merge)) throw new Error(merge.message);
    for (const stored of merge.operations) this.receive(stored);
    this.stand(merge.head.operation);
    return merge;
  }

  stand(head: OperationId): void {
    const { history } = this.world;
    history.state = { ...history.stateAt(head), device: this.name };
  }

  #learnOwn(): void {
    for (const operation of this.world.log.slice(this.#seen)) {
      const parents = operation.parents.map((id) => this.known.get(id)?.hash ?? "");
      this.known.set(operation.id, { operation, hash: HASHES.operation(operation, parents) });
    }
    this.#seen = this.world.log.length;
  }
}

function entryAt(world: World, pick: number): string {
  const list = [...entries(world.state, activeTake(world.state))];
  return list[pick % Math.max(1, list.length)]?.id ?? "";
}

function takeAt(world: World, pick: number): string {
  const live = liveTakes(world.state);
  return live[pick % live.length]?.id ?? "";
}

function operationAt(world: World, pick: number): string {
  const all = [...line(world.history, world.state.head)];
  return all[pick % all.length]?.id ?? "";
}

/** The changes that a user can make on a device. */
export const DEEDS: Readonly<Record<string, (world: World, pick: number) => unknown>> = {
  insert: (world) => {
    const id = world.id("e");
    return world.try(insertEntry(world.state, world.context(), { entry: { id, content: `text of ${id}` } }));
  },
  edit: (world, pick) =>
    world.try(
      editEntry(world.state, world.context(), { entry: entryAt(world, pick), content: `edit ${world.id("c")}` }),
    ),
  remove: (world, pick) => world.try(removeEntry(world.state, world.context(), { entry: entryAt(world, pick) })),
  removeFirst: (world) => world.try(removeEntry(world.state, world.context(), { entry: entryAt(world, 0) })),
  setting: (world, pick) =>
    world.try(changeSetting(world.state, world.context(), { field: "temperature", value: (pick % 20) / 10 })),
  clear: (world) => world.try(clearEntries(world.state, world.context())),
  reset: (world) => world.try(resetSession(world.state, world.context())),
  title: (world, pick) =>
    world.try(changeThread(world.state, world.context(), { facts: { title: `title ${pick % 9}` } })),
  pin: (world, pick) => world.try(changeThread(world.state, world.context(), { facts: { pinned: pick % 2 === 0 } })),
  deleteThread: (world) => world.try(changeThread(world.state, world.context(), { facts: { deleted: true } })),
  turn: (world, pick) =>
    // A turn of another device may have arrived without its end.
    runningTurn(world.state, activeTake(world.state)) === undefined &&
    world.turn(`prompt ${pick}`, world.id("answer"), pick % 2 === 0 ? world.id("tree") : undefined),
  branch: (world, pick) =>
    world.try(branch(world.history, world.context(), { entry: entryAt(world, pick), take: world.id("t") })),
  switch: (world, pick) => world.try(switchTake(world.state, world.context(), { take: takeAt(world, pick) })),
  rename: (world, pick) =>
    world.try(renameTake(world.state, world.context(), { take: takeAt(world, pick), name: `name ${pick % 5}` })),
  deleteTake: (world, pick) => world.try(deleteTake(world.state, world.context(), { take: takeAt(world, pick) })),
  undo: (world, pick) => world.undo({ count: 1 + (pick % 2), on_conflict: "keep" }),
  undoStep: (world, pick) => world.undo({ steps: true, count: 1 + (pick % 3), on_conflict: "keep" }),
  redo: (world) => world.redo(),
  revert: (world, pick) => world.revert({ operation: operationAt(world, pick), on_conflict: "keep" }),
  jump: (world, pick) => world.jump(operationAt(world, pick)),
};
