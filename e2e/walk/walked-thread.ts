import { Learner, type Meaning } from "../../packages/core/src/testing/learner.ts";
import {
  changesBetween,
  type Facts,
  type Files,
  type Item,
  spaceKey,
} from "../../packages/core/src/testing/naive-model.ts";
import { OrderOracle } from "../../packages/core/src/testing/order-oracle.ts";

/** A thread of a walk: the naive model of it, and where it stands. */
export class WalkedThread extends Learner {
  readonly id: string;
  /** The entries of the active take, as the command line listed them last. */
  order: readonly string[] = [];
  readonly oracle = new OrderOracle();
  /** The operations that it stood at after a command, which can be jumped to. */
  readonly heads: string[] = [];
  readonly turns = new Map<string, WalkedTurn>();
  /** The snapshots that can be gone back to: those of turns that ended, and the user's own. */
  readonly snapshots: { readonly id: string; readonly files: Files }[] = [];
  #made = 0;
  /** The list whose last item is an uncommitted note. */
  #noted: Item[] | undefined;

  constructor(id: string, take: string, title: string, files: Files) {
    super();
    this.id = id;
    this.model.takes.set(take, { items: [], birth: 0 });
    this.#learnMade((facts) => {
      facts.set("thread", { title, deleted: false });
      facts.set(`take:${take}`, { name: "main", deleted: false });
      facts.set("active", { take });
      facts.set(spaceKey(take), {});
    });
    this.settle(files);
  }

  get facts(): Facts {
    return this.model.facts(this.take);
  }

  /**
   * Records changes on disk that the thread did not make as somebody else's, with the command that finds them. A
   * refused command records nothing (`forgetNote`).
   */
  note(files: Files): void {
    const { items } = this.model.line(this.take);
    const known = items.length;
    this.settle(files);
    this.#noted = items.length > known ? items : undefined;
  }

  forgetNote(): void {
    this.#noted?.pop();
    this.#noted = undefined;
  }

  /** The same, recorded already. */
  settle(files: Files): void {
    const changes = changesBetween(this.model.files(this.take), files);
    if (Object.keys(changes).length > 0) this.done(undefined, { role: "note", files: changes });
  }

  /** A command that was carried out; `operation` where it is known, `group` where it is one with another. */
  done(operation: string | undefined, meaning: Meaning, group?: string): void {
    const id = operation ?? this.#synthetic();
    this.#noted = undefined;
    this.learn({ id, group: group ?? id, take: this.take }, meaning);
  }

  /** Notes the thread's head after a command. */
  stand(head: string): void {
    if (this.heads.at(-1) === head) return;
    this.heads.push(head);
    this.remember({ id: head, group: head, take: this.take }, true);
  }

  #learnMade(thread: (facts: Facts) => void): void {
    const id = this.#synthetic();
    // No take is active before the first one is made.
    this.model.thread.items.push({
      seq: 1,
      operation: id,
      group: id,
      role: "note",
      run: thread,
      files: {},
      flags: { conversation: false, files: false, kept: false },
    });
    this.model.seq = 1;
  }

  #synthetic(): string {
    this.#made += 1;
    return `unnamed-${this.#made}`;
  }
}

/** The files before and after a turn, and how many tools it called. */
export interface WalkedTurn {
  readonly take: string;
  readonly before: Files;
  readonly after: Files;
  readonly calls: number;
}
