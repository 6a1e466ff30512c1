/**
 * The meaning of a history in its simplest form, as an oracle for the real one. They share no code.
 *
 * The thread and each take are a list of commands. An undone command counts as never done: the state is the replay of
 * all the others, from nothing. So there are no inverses, no diffs of records and no conflicts to resolve here; undo
 * sets flags, and redo resets them.
 *
 * A branch copies its take's list with its flags, up to the branch point, and then sets the later effects that it also
 * holds. A jump is a command that sets a recorded state. Reset is one command in the lists of all takes.
 *
 * The order of entries is not modelled; `testing/order-oracle.ts` checks it.
 */
export type Facts = Map<string, Readonly<Record<string, unknown>>>;
export type Files = Readonly<Record<string, string>>;
export type FileChanges = Readonly<Record<string, string | null>>;
export type Scope = "both" | "conversation" | "files";
export type Role = "step" | "whole" | "turn" | "note" | "undo";

/** The undone parts of a group; its items share one object. */
export interface Flags {
  conversation: boolean;
  files: boolean;
  /** An undone turn whose prompt stays (U3). */
  kept: boolean;
}

export interface Flip {
  readonly flags: Flags;
  readonly scope: Scope;
  readonly undone: boolean;
  /** The turn's prompt stays. */
  readonly kept?: boolean;
}

/** A command, as an item of one list. */
export interface Item {
  readonly seq: number;
  readonly operation: string;
  readonly group: string;
  readonly role: Role;
  readonly flags: Flags;
  readonly run: (facts: Facts) => void;
  readonly files: FileChanges;
  /** All files of its take after the command. */
  readonly filesAfter?: Files;
  /** The entry that stays of a turn whose prompt is kept. */
  readonly prompt?: { readonly entry: string; readonly text: string; readonly put: (facts: Facts) => void };
  /** The turn it belongs to, and the entries of that turn that it writes. */
  readonly turn?: string;
  readonly writes?: readonly string[];
  /** For an undo, a redo or a revert: the groups that it undid or brought back. */
  readonly flips?: readonly Flip[];
  /** It makes another take active, or creates or removes one. */
  readonly leaves?: boolean;
}

export interface Line {
  readonly items: Item[];
  /** Earlier commands of the thread are not in the take's history. */
  readonly birth: number;
}

/** The keys of `thread` facts that tell which takes exist. */
export const spaceKey = (take: string): string => `space:${take}`;

export class NaiveModel {
  readonly thread: Line = { items: [], birth: 0 };
  readonly takes = new Map<string, Line>();
  seq = 0;

  get threadFacts(): Facts {
    return replay(this.thread.items).facts;
  }

  get active(): string {
    return this.threadFacts.get("active")?.["take"] as string;
  }

  exists(take: string): boolean {
    return this.threadFacts.has(spaceKey(take));
  }

  line(take: string): Line {
    const line = this.takes.get(take);
    if (!line) throw new Error(`the model has no take ${take}`);
    return line;
  }

  facts(take: string): Facts {
    return replay(this.line(take).items).facts;
  }

  files(take: string): Files {
    return replay(this.line(take).items).files;
  }

  /** The commands that a take's history shows, newest first; a group is listed at its first command. */
  visible(take: string): Item[] {
    const { items, birth } = this.line(take);
    const shown = [...items, ...this.thread.items.filter((item) => item.seq > birth)];
    const begins = new Map<Flags, number>();
    for (const { flags, seq } of shown) begins.set(flags, Math.min(begins.get(flags) ?? seq, seq));
    const begin = ({ flags, seq }: Item) => begins.get(flags) ?? seq;
    return shown.sort((a, b) => begin(b) - begin(a) || b.seq - a.seq);
  }

  /** The items that a branch of a take inherits, oldest first. It cannot undo changes of the whole thread. */
  inheritance(take: string): Item[] {
    const shared = new Set(this.thread.items.map(({ flags }) => flags));
    return this.line(take).items.map((item) => (shared.has(item.flags) ? { ...item, role: "note" as const } : item));
  }

  lines(): Line[] {
    return [this.thread, ...[...this.takes].filter(([take]) => this.exists(take)).map(([, line]) => line)];
  }

  /** Which takes exist and which is active, as one text. */
  places(): string {
    const facts = this.threadFacts;
    return [this.active, ...[...facts.keys()].filter((key) => key.startsWith("space:")).sort()].join(" ");
  }

  /** One text for everything visible. */
  fingerprint(): string {
    return JSON.stringify(
      this.lines().map(({ items }) => {
        const { facts, files } = replay(items);
        return [[...facts].sort(byKey), Object.entries(files).sort(byKey)];
      }),
    );
  }

  flip(flips: readonly Flip[]): void {
    for (const { flags, scope, undone, kept } of flips) this.#mark(flags, scope, undone, kept);
  }

  /**
   * Runs `look`, then sets all flags back to their values before. Flipping back is not enough: where a group was undone
   * in two ways, it would also bring back the earlier undo.
   */
  trying<T>(look: () => T): T {
    const before = this.#allFlags().map((flags) => [flags, { ...flags }] as const);
    const seen = look();
    for (const [flags, then] of before) Object.assign(flags, then);
    return seen;
  }

  /** Runs `look` while these are flipped. */
  flipped<T>(flips: readonly Flip[], look: () => T): T {
    return this.trying(() => {
      this.flip(flips);
      return look();
    });
  }

  /** Whether flips can be taken back alone: not when what they bring back was undone in another way later. */
  isReversible(flips: readonly Flip[]): boolean {
    const marks = () => JSON.stringify(this.#allFlags().map(({ conversation, files }) => [conversation, files]));
    const before = marks();
    return this.flipped(flips, () => {
      for (const { flags, scope, undone, kept } of flips.toReversed()) this.#mark(flags, scope, !undone, kept);
      return marks() === before;
    });
  }

  #allFlags(): Flags[] {
    return [...new Set([this.thread, ...this.takes.values()].flatMap(({ items }) => items.map((item) => item.flags)))];
  }

  /** Undoing a group also takes back its own flips. */
  #mark(flags: Flags, scope: Scope, to: boolean, kept = false): void {
    if (to && scope !== "files") flags.kept = kept;
    if (scope !== "files") flags.conversation = to;
    if (scope !== "conversation") flags.files = to;
    const own = new Set<readonly Flip[]>();
    for (const { items } of [this.thread, ...this.takes.values()])
      for (const item of items) if (item.flags === flags && item.flips) own.add(item.flips);
    for (const flips of own) {
      for (const flip of to ? [...flips].reverse() : flips) {
        const both = flip.scope === "both" ? scope : scope === "both" || scope === flip.scope ? flip.scope : undefined;
        if (both) this.#mark(flip.flags, both, to ? !flip.undone : flip.undone, flip.kept);
      }
    }
  }
}

/** The state that a list of commands leads to. `seen` is called with the facts before and after each command. */
export function replay(
  items: readonly Item[],
  seen?: (item: Item, before: { facts: Facts; files: Files }, after: { facts: Facts; files: Files }) => void,
): { facts: Facts; files: Files } {
  let facts: Facts = new Map();
  let files: Files = {};
  for (const item of items) {
    const before = { facts, files };
    if (seen) facts = new Map(facts);
    if (!item.flags.conversation) item.run(facts);
    else if (item.flags.kept) item.prompt?.put(facts);
    if (!item.flags.files) files = withChanges(files, item.files);
    seen?.(item, before, { facts, files });
  }
  return { facts, files };
}

export function withChanges(files: Files, changes: FileChanges): Files {
  const after: Record<string, string> = { ...files };
  for (const [name, content] of Object.entries(changes)) {
    if (content === null) delete after[name];
    else after[name] = content;
  }
  return after;
}

export function changesBetween(before: Files, after: Files): FileChanges {
  const changes: Record<string, string | null> = {};
  for (const name of Object.keys({ ...before, ...after })) {
    if (before[name] !== after[name]) changes[name] = after[name] ?? null;
  }
  return changes;
}

/** A copy with its own flags; effects of its commands on other takes are not part of it. */
export function copyOf(items: readonly Item[]): Item[] {
  const flags = new Map<Flags, Flags>();
  for (const item of items) if (!flags.has(item.flags)) flags.set(item.flags, { ...item.flags });
  return items.map((item) => ({
    ...item,
    leaves: false,
    flags: flags.get(item.flags) as Flags,
    ...(item.flips
      ? {
          flips: item.flips.flatMap((flip) => {
            const own = flags.get(flip.flags);
            return own ? [{ ...flip, flags: own }] : [];
          }),
        }
      : {}),
  }));
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
