/**
 * An undo that goes through several takes is one commit. It must come to what as many undos of one step come to, each in
 * the take that the one before it led to. So the same things are done in two workspaces, and taken back in both ways.
 */
import { activeTake, branch, entryAt, entryCount, liveTakes, switchTake } from "@retake/core";
import { type Random, randomFrom } from "@retake/workspace/testing/random-tree.ts";
import { afterEach, expect, test } from "vitest";
import { amount, seeds } from "../../../../testing/budget.ts";
import type { TakeBackResult } from "./take-back.ts";
import { SharedWorkspace } from "./testing/shared-workspace.ts";

const opened: SharedWorkspace[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.remove();
});

test.each(seeds(amount("walks", 3, 100)))(
  "[P2] [U2] [U8] many steps at once come to the same as one after the other (RETAKE_SEED=%i)",
  async (seed) => {
    const [one, other] = [new Walked(seed), new Walked(seed)];
    await one.begin();
    await other.begin();
    for (let action = 0; action < 9; action += 1) {
      await one.act();
      await other.act();
    }
    expect(other.seen()).toEqual(one.seen());
    // A redo brings an undo back, and there are fewer of them where many steps were one.
    for (const { way, count } of [
      { way: "undo", count: 4 },
      { way: "redo", count: 99 },
      { way: "undo", count: 6 },
    ] as const) {
      const before = other.seen();
      const singles: TakeBackResult[] = [];
      while (singles.length < count && singles.at(-1)?.kind !== "nothing") singles.push(await one.take(way, 1));
      const together = await other.take(way, count);
      if (together.kind === "conflicts") expect(other.seen()).toEqual(before);
      // A conflict of a single step may disappear when all steps go back together, so the results cannot be compared.
      if ([...singles, together].some(({ kind }) => kind === "conflicts" || kind === "refused")) return;
      expect(other.seen()).toEqual(one.seen());
    }
  },
);

const NAMES = ["one.txt", "two.txt", "three.txt"];

/** A thread with turns, edits by hand, branches, switches and jumps, the same for the same seed. */
class Walked {
  readonly #shared = new SharedWorkspace();
  #thread = "";
  readonly #random: Random;
  #heads: string[] = [];
  #made = 0;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    opened.push(this.#shared);
  }

  async begin(): Promise<void> {
    this.#thread = await this.#shared.workspace.newThread("main");
    await this.#shared.turn(this.#thread, "write one.txt: first");
  }

  async act(): Promise<void> {
    const { workspace } = this.#shared;
    const thread = this.#thread;
    const name = NAMES[this.#pick(NAMES.length)] as string;
    this.#made += 1;
    this.#heads.push(workspace.store.read(thread, ({ state }) => state.head ?? ""));
    const entry = workspace.store.read(thread, ({ state }) => {
      const take = activeTake(state);
      return entryAt(state, take, this.#pick(entryCount(state, take)))?.id ?? "";
    });
    switch (this.#pick(6)) {
      case 0:
      case 1:
        return this.#shared.turn(thread, `write ${name}: ${this.#made}`);
      case 2:
        return this.#shared.write(name, `by hand ${this.#made}`);
      case 3: {
        const take = workspace.store.identity.id();
        await workspace.changeWithFiles(thread, (history, context) => branch(history, context, { entry, take }));
        return;
      }
      case 4: {
        const takes = workspace.store.read(thread, ({ state }) =>
          liveTakes(state)
            .map(({ id }) => id)
            .sort(),
        );
        const take = takes[this.#pick(takes.length)] as string;
        await workspace.changeWithFiles(thread, ({ state }, context) => switchTake(state, context, { take }));
        return;
      }
      default:
        await workspace.jump(thread, { operation: this.#heads[this.#pick(this.#heads.length)] as string });
    }
  }

  take(way: "undo" | "redo", count: number): Promise<TakeBackResult> {
    const { workspace } = this.#shared;
    return way === "undo" ? workspace.undo(this.#thread, { steps: true, count }) : workspace.redo(this.#thread, count);
  }

  /** The state that a user sees, without the names that differ. */
  seen() {
    const files = NAMES.map((name) => this.#shared.read(name));
    return this.#shared.workspace.store.read(this.#thread, ({ state }) => {
      const take = activeTake(state);
      const entries = Array.from({ length: entryCount(state, take) }, (_, at) => entryAt(state, take, at)?.content);
      const takes = liveTakes(state).map(({ name }) => name);
      return { files, entries, takes: takes.sort() };
    });
  }

  #pick(below: number): number {
    return Math.floor(this.#random() * below);
  }
}
