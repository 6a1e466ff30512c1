/**
 * What a history means, said in the simplest way, to compare the real one with. It shares no code with it.
 *
 * The thread and each take are a list of commands. A command that was undone counts as never done: the
 * state is the replay of all the others, from nothing. So there are no inverses, no diffs of records and
 * no conflicts to resolve here; undo sets flags, and redo sets them back.
 *
 * A branch copies its take's list with the flags it has, as far as the point that it is made at, and then
 * sets whatever it has of what was done later. A jump is a command that sets a recorded state. Reset is one command in the lists of all takes.
 *
 * The order of entries is not modelled; `testing/order-oracle.ts` looks after it.
 */
export type Facts = Map<string, Readonly<Record<string, unknown>>>;
export type Files = Readonly<Record<string, string>>;
export type FileChanges = Readonly<Record<string, string | null>>;
export type Scope = "both" | "conversation" | "files";
export type Role = "step" | "whole" | "turn" | "note" | "undo";

/** What is undone of a group; the items of a group share one. */
export interface Flags {
  conversation: boolean;
  files: boolean;
  /** An undone turn that leaves its prompt (U3). */
  kept: boolean;
}

export interface Flip {
  readonly flags: Flags;
  readonly scope: Scope;
  readonly undone: boolean;
  /** The turn's prompt stays. */
  readonly kept?: boolean;
}

/** A command, as it stands in one list. */
export interface Item {
  readonly seq: number;
  readonly operation: string;
  readonly group: string;
  readonly role: Role;
  readonly flags: Flags;
  readonly run: (facts: Facts) => void;
  readonly files: FileChanges;
  /** All files of its take when it had been done. */
  readonly filesAfter?: Files;
  /** What is left of a turn whose prompt is kept. */
  readonly prompt?: { readonly entry: string; readonly text: string; readonly put: (facts: Facts) => void };
  /** The turn that it is of, and the entries of it that it writes. */
  readonly turn?: string;
  readonly writes?: readonly string[];
  /** For an undo, a redo or a revert: what it undid or brought back. */
  readonly flips?: readonly Flip[];
  /** It makes another take active, or makes or drops one. */
  readonly leaves?: boolean;
}

export interface Line {
  readonly items: Item[];
  /** Commands of the thread before this one are not in the take's history. */
  readonly birth: number;
}

/** The keys of `thread` facts that say which takes there are. */
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

  /** The commands that a take's history shows, newest first: a group stands where it began. */
  visible(take: string): Item[] {
    const { items, birth } = this.line(take);
    const shown = [...items, ...this.thread.items.filter((item) => item.seq > birth)];
    const begins = new Map<Flags, number>();
    for (const { flags, seq } of shown) begins.set(flags, Math.min(begins.get(flags) ?? seq, seq));
    const begin = ({ flags, seq }: Item) => begins.get(flags) ?? seq;
    return shown.sort((a, b) => begin(b) - begin(a) || b.seq - a.seq);
  }

  /** What a branch of a take inherits, oldest first. What was done to the thread as a whole it cannot take back. */
  inheritance(take: string): Item[] {
    const shared = new Set(this.thread.items.map(({ flags }) => flags));
    return this.line(take).items.map((item) => (shared.has(item.flags) ? { ...item, role: "note" as const } : item));
  }

  lines(): Line[] {
    return [this.thread, ...[...this.takes].filter(([take]) => this.exists(take)).map(([, line]) => line)];
  }

  /** Which takes there are and which is active, as one text. */
  places(): string {
    const facts = this.threadFacts;
    return [this.active, ...[...facts.keys()].filter((key) => key.startsWith("space:")).sort()].join(" ");
  }

  /** One text for all that can be seen. */
  fingerprint(): string {
    return JSON.stringify(
      this.lines().map(({ items }) => {
        const { facts, files } = replay(items);
        return [[...facts].sort(byKey), Object.entries(files).sort(byKey)];
      }),
    );
  }

  flip(flips: readonly Flip[], way: "do" | "undo"): void {
    const inOrder = way === "do" ? flips : [...flips].reverse();
    for (const { flags, scope, undone, kept } of inOrder) {
      const to = way === "do" ? undone : !undone;
      this.#mark(flags, scope, to, kept);
    }
  }

  /** Whether flips can be taken back alone: not where what they bring back has been undone in another way since. */
  isReversible(flips: readonly Flip[]): boolean {
    const all = new Set([this.thread, ...this.takes.values()].flatMap(({ items }) => items.map((item) => item.flags)));
    const before = [...all].map((flags) => ({ ...flags }));
    this.flip(flips, "do");
    this.flip(flips, "undo");
    const same = [...all].every(
      ({ conversation, files }, index) =>
        conversation === before[index]?.conversation && files === before[index]?.files,
    );
    [...all].forEach((flags, index) => void Object.assign(flags, before[index]));
    return same;
  }

  /** A group that is undone takes back what it had flipped itself. */
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

/** The state that a list of commands leads to. `seen` is told what each command was given and made. */
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

/** A copy whose flags are its own; what its commands did to other takes is not part of it. */
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
