import type { RefusalCode } from "../session/refusal.ts";
import {
  copyOf,
  type Facts,
  type FileChanges,
  type Files,
  type Flags,
  type Flip,
  type Item,
  NaiveModel,
  type Role,
  replay,
  withChanges,
} from "./naive-model.ts";

/** What a command means to the model: what it does to the facts of takes and of the thread. */
export interface Meaning {
  readonly role: Role;
  readonly takes?: ReadonlyMap<string, (facts: Facts) => void>;
  readonly thread?: (facts: Facts) => void;
  /** What it did to the files of the take it was made in. */
  readonly files?: FileChanges;
  readonly filesOf?: string;
  readonly prompt?: Item["prompt"];
  readonly turn?: string;
  readonly writes?: readonly string[];
  readonly flips?: readonly Flip[];
  /** Set where the flips have been made already; otherwise it is seen. */
  readonly leaves?: boolean;
  /** Why core may refuse it, other than that it would change nothing. */
  readonly refusals?: readonly RefusalCode[];
}

/** What a take and the thread were after an operation, to jump to. */
export interface Past {
  readonly take: string;
  readonly items: readonly Item[];
  readonly facts: Facts;
  readonly files: Files;
  readonly name: string;
}

/** A command that was carried out: its operation, the group that is of, and the take it was made in. */
export interface Done {
  readonly id: string;
  readonly group: string;
  readonly take: string;
}

/** The naive model, told of every command that was carried out. */
export class Learner {
  readonly model = new NaiveModel();
  readonly pasts = new Map<string, Past>();
  readonly #flags = new Map<string, Flags>();

  get take(): string {
    return this.model.active;
  }

  /** Whether a command would change anything that can be seen. */
  wouldChange(meaning: Meaning): boolean {
    const before = this.model.fingerprint();
    const added = this.add("refused", "refused", meaning);
    const changed = this.model.fingerprint() !== before;
    for (const { items } of [this.model.thread, ...this.model.takes.values()])
      for (const item of added) if (items.at(-1) === item) items.pop();
    return changed;
  }

  learn(operation: Done, meaning: Meaning): void {
    const before = this.model.threadFacts.size > 0 ? this.model.places() : "";
    const items = this.add(operation.id, operation.group, meaning);
    const leaves = meaning.leaves ?? this.model.places() !== before;
    if (leaves) for (const item of items) Object.assign(item, { leaves });
    this.remember(operation, meaning.thread !== undefined);
  }

  /** Keeps the state after an operation, and that of the take which a jump to it leads to. */
  remember(operation: Done, thread: boolean): void {
    const take = !thread && this.model.exists(operation.take) ? operation.take : this.take;
    const { facts, files } = replay(this.model.line(take).items);
    this.pasts.set(operation.id, {
      take,
      items: copyOf(this.model.inheritance(take)),
      facts,
      files,
      name: this.model.threadFacts.get(`take:${take}`)?.["name"] as string,
    });
  }

  /** Puts a command into the lists of the model, and answers where it stands. */
  protected add(operation: string, group: string, meaning: Meaning): Item[] {
    const { model } = this;
    model.seq += 1;
    const flags = this.#flags.get(group) ?? { conversation: false, files: false, kept: false };
    if (group !== "refused") this.#flags.set(group, flags);
    const { role, prompt, flips, turn, writes = [] } = meaning;
    const ofTurn = turn === undefined ? {} : { turn, writes };
    const common = { seq: model.seq, operation, group, role, flags, ...ofTurn, ...(flips ? { flips } : {}) };
    const items: Item[] = [];
    const put = (list: Item[], item: Item) => {
      list.push(item);
      items.push(item);
    };
    const filesOf = meaning.filesOf ?? this.take;
    const runs = new Map(meaning.takes ?? []);
    if (!meaning.thread && runs.size === 0) runs.set(filesOf, () => {});
    if (meaning.files && !runs.has(filesOf)) runs.set(filesOf, () => {});
    for (const [take, run] of runs) {
      const files = take === filesOf ? (meaning.files ?? {}) : {};
      const { items } = model.line(take);
      const filesAfter = withChanges(model.files(take), files);
      put(items, { ...common, run, files, filesAfter, ...(prompt ? { prompt } : {}) });
    }
    if (meaning.thread) put(model.thread.items, { ...common, run: meaning.thread, files: {} });
    return items;
  }
}
