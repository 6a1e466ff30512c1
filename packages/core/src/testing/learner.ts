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

/** The meaning of a command in the model: its effect on the facts of takes and of the thread. */
export interface Meaning {
  readonly role: Role;
  readonly takes?: ReadonlyMap<string, (facts: Facts) => void>;
  readonly thread?: (facts: Facts) => void;
  /** Its effect on the files of the take it was made in. */
  readonly files?: FileChanges;
  readonly filesOf?: string;
  readonly prompt?: Item["prompt"];
  readonly turn?: string;
  readonly writes?: readonly string[];
  readonly flips?: readonly Flip[];
  /** Set when the flips have been made already; otherwise it is derived from their effect. */
  readonly leaves?: boolean;
  /** Why core may refuse it, other than because it would change nothing. */
  readonly refusals?: readonly RefusalCode[];
}

/** The state of a take and of the thread after an operation, as a target for jumps. */
export interface Past {
  readonly take: string;
  readonly items: readonly Item[];
  readonly facts: Facts;
  readonly files: Files;
  readonly name: string;
}

/** A command that was carried out: its operation, the operation's group, and its take. */
export interface Done {
  readonly id: string;
  readonly group: string;
  readonly take: string;
}

/** The naive model, updated with every command that was carried out. */
export class Learner {
  readonly model = new NaiveModel();
  readonly pasts = new Map<string, Past>();
  readonly #flags = new Map<string, Flags>();

  get take(): string {
    return this.model.active;
  }

  /** Whether a command would have a visible effect. */
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

  /** Stores the state after an operation, and the take that a jump to it leads to. */
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

  /** Adds a command to the lists of the model, and returns its items. */
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
