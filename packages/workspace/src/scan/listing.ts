import type { BytePath, Uncovered } from "../model/model.ts";
import { parentOf } from "../model/path-bytes.ts";
import { type RecordedState, sameState } from "../model/state-codec.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import { Names } from "./names.ts";
import { PackedStates } from "./packed-states.ts";
import { NUMBERS_PER_ENTRY, newStats, type StatRow } from "./stat-table.ts";

/** A captured directory, as it was last read. Replaced as a whole when its names change. */
export interface Directory extends StatRow {
  slot: number;
  /** The state of each name. Undefined: nothing there any more, or not yet read. */
  readonly states: PackedStates;
  readonly subdirectories: ReadonlySet<string>;
  /** An empty directory has a state of its own. */
  readonly empty: boolean;
  /** The nearest ignored directory, itself included: everything in it is captured separately from the tree. */
  readonly ignoredRoot: BytePath | undefined;
  /** The rules from its parent, and those for its own entries. */
  readonly given: IgnoreRules;
  readonly rules: IgnoreRules;
}

interface Entry {
  readonly parent: Directory;
  readonly name: string;
  readonly index: number;
}

/** Called for every directory that is replaced or removed (`directory` is then undefined). */
export type RowListener = (slot: number, directory: Directory | undefined, path: BytePath) => void;

/** Every captured directory, and for each path that was replaced since the last commit, its state at that commit. */
export class Listing {
  readonly #directories = new Map<BytePath, Directory>();
  readonly #slots: (Directory | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  readonly #touched = new Map<BytePath, RecordedState | undefined>();
  #tracking: boolean;
  readonly #leftOutChanged = new Set<BytePath>();
  readonly #changedRows = new Set<BytePath>();
  readonly #ignoredEntries = new Map<BytePath, number>();
  /** Directories that were seen to hold a `.git`. One that is gone by now may still be named. */
  readonly repositories = new Set<BytePath>();
  /** Paths that are captured although they are left out, with their states (`claimed-paths.ts`). */
  readonly claims = new Map<BytePath, RecordedState | undefined>();
  readonly #onRow: RowListener;

  constructor(followsCapture: boolean, onRow: RowListener) {
    this.#tracking = followsCapture;
    this.#onRow = onRow;
  }

  get(path: BytePath): Directory | undefined {
    return this.#directories.get(path);
  }

  at(slot: number): Directory | undefined {
    return this.#slots[slot];
  }

  get directories(): Iterable<Directory> {
    return this.#directories.values();
  }

  stateOf(path: BytePath): RecordedState | undefined {
    const state = this.#scannedState(path);
    return state === undefined || state.kind === "uncovered" ? (this.claims.get(path) ?? state) : state;
  }

  #scannedState(path: BytePath): RecordedState | undefined {
    const parent = path === "" ? undefined : this.#directories.get(parentOf(path));
    const index = parent ? parent.names.indexOf(nameOf(path)) : -1;
    if (parent && index >= 0) return parent.states.get(index);
    const itself = this.#directories.get(path);
    return itself && directoryState(itself);
  }

  /** In byte order of the paths, without building a list of them: it would take more memory than the listing. */
  *states(): Iterable<readonly [BytePath, RecordedState]> {
    const claims = [...this.claims].filter(([, state]) => state).sort(([a], [b]) => (a < b ? -1 : 1));
    let next = 0;
    const claimsBefore = function* (limit: BytePath | undefined): Iterable<readonly [BytePath, RecordedState]> {
      for (; next < claims.length; next += 1) {
        const [path, state] = claims[next] ?? [];
        if (path === undefined || (limit !== undefined && path >= limit)) return;
        if (state) yield [path, state];
      }
    };
    for (const [path, state] of this.#scannedStates()) {
      if (next < claims.length) yield* claimsBefore(path);
      if (claims[next]?.[0] !== path) yield [path, state];
    }
    yield* claimsBefore(undefined);
  }

  *#scannedStates(): Iterable<readonly [BytePath, RecordedState]> {
    const pending: (Directory | Entry | undefined)[] = [this.#directories.get("")];
    while (pending.length > 0) {
      const next = pending.pop();
      if (!next) continue;
      if ("parent" in next) {
        const state = next.parent.states.get(next.index);
        if (state) yield [joinPath(next.parent.path, next.name), state];
        continue;
      }
      const own = directoryState(next);
      if (own) yield [next.path, own];
      pending.push(...this.#inReverse(next));
    }
  }

  /** The content of a directory in reverse byte order. The paths in a subdirectory have a slash after its name. */
  #inReverse(parent: Directory): (Directory | Entry | undefined)[] {
    const entries = parent.names.list.map((name, index): Entry => ({ parent, name, index }));
    if (parent.subdirectories.size === 0) return entries.reverse();
    const below = [...parent.subdirectories].map((name) => this.#directories.get(joinPath(parent.path, name)));
    const found = [
      ...entries.map((item) => ({ item, key: item.name })),
      ...below.map((item) => ({ item, key: item ? nameOf(item.path) + (item.empty ? "" : "/") : "" })),
    ];
    return found.sort((a, b) => (a.key < b.key ? 1 : -1)).map(({ item }) => item);
  }

  /** Every path that is left out, and why. */
  *uncovered(): Iterable<readonly [BytePath, Uncovered["reason"]]> {
    for (const { path, names, states } of this.#directories.values()) {
      for (let index = 0; index < states.length; index += 1) {
        if (!states.isUncovered(index)) continue;
        const state = states.get(index);
        const entry = joinPath(path, names.list[index] ?? "");
        if (state?.kind === "uncovered" && !this.claims.has(entry)) yield [entry, state.reason];
      }
    }
  }

  /** Each path touched since the last commit, with its state at that commit. */
  get touched(): ReadonlyMap<BytePath, RecordedState | undefined> {
    return this.#touched;
  }

  /** Left-out paths that look different from the last commit. */
  get leftOutChanged(): Set<BytePath> {
    return this.#leftOutChanged;
  }

  /** Directories that differ from the stat cache. */
  get changedRows(): Set<BytePath> {
    return this.#changedRows;
  }

  /** Before the first commit there is no earlier state to remember. */
  touch(path: BytePath, before: RecordedState | undefined): void {
    if (!this.#tracking || this.#touched.has(path)) return;
    const isKnown = before !== undefined && before.kind !== "uncovered";
    this.#touched.set(path, isKnown ? before : (this.claims.get(path) ?? before));
  }

  committed(): void {
    this.#tracking = true;
    this.#touched.clear();
    this.#leftOutChanged.clear();
  }

  put(directory: Directory): void {
    const old = this.#directories.get(directory.path);
    if (old) this.#countIgnored(old, -1);
    this.#countIgnored(directory, 1);
    if (directory.slot < 0) directory.slot = old?.slot ?? this.#freeSlots.pop() ?? this.#slots.length;
    this.#slots[directory.slot] = directory;
    this.#directories.set(directory.path, directory);
    this.rowChanged(directory);
  }

  rowChanged(directory: Directory): void {
    this.#changedRows.add(directory.path);
    this.#onRow(directory.slot, directory, directory.path);
  }

  /** Makes the next scan read an entry again, whatever `lstat` says. */
  distrust(path: BytePath): void {
    const directory = this.#directories.get(parentOf(path));
    const index = directory ? directory.names.indexOf(nameOf(path)) : -1;
    if (!directory || index < 0) return;
    directory.stats[(index + 1) * NUMBERS_PER_ENTRY + 1] = Number.NaN;
    this.rowChanged(directory);
  }

  /** The number of entries of the ignored directory `root` in the listing. */
  ignoredEntries(root: BytePath): number {
    return this.#ignoredEntries.get(root) ?? 0;
  }

  /** Removes a directory and everything under it. */
  removeTree(path: BytePath): void {
    const pending = [path];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const directory = this.#directories.get(next);
      if (!directory) continue;
      const own = directoryState(directory);
      if (own) this.touch(next, own);
      directory.names.forEach((name, index) => {
        this.touch(joinPath(directory.path, name), directory.states.get(index));
      });
      for (const name of directory.subdirectories) pending.push(joinPath(directory.path, name));
      this.#countIgnored(directory, -1);
      this.#directories.delete(next);
      this.#slots[directory.slot] = undefined;
      this.#freeSlots.push(directory.slot);
      this.#changedRows.add(next);
      this.#onRow(directory.slot, undefined, next);
    }
  }

  /** Removes a directory from the listing: its parent gets `state` in its place, or nothing. */
  replaceTree(path: BytePath, state: Uncovered | undefined, numbers: Float64Array | undefined): Directory | undefined {
    const before = this.stateOf(path);
    this.removeTree(path);
    const parent = path === "" ? undefined : this.#directories.get(parentOf(path));
    if (!parent) return undefined;
    const name = nameOf(path);
    const entries = parent.names.list.map((each, index) => ({ each, index })).filter(({ each }) => each !== name);
    if (state) entries.push({ each: name, index: -1 });
    entries.sort((a, b) => (a.each < b.each ? -1 : 1));
    const stats = newStats(entries.length);
    stats.set(parent.stats.subarray(0, NUMBERS_PER_ENTRY));
    // A deletion changes the parent, but the parent's `lstat` may have come before it.
    if (!state) stats[1] = Number.NaN;
    entries.forEach(({ index }, position) => {
      const from = (index + 1) * NUMBERS_PER_ENTRY;
      const known = index < 0 ? numbers : parent.stats.subarray(from, from + NUMBERS_PER_ENTRY);
      if (known) stats.set(known, (position + 1) * NUMBERS_PER_ENTRY);
      else stats[(position + 1) * NUMBERS_PER_ENTRY + 1] = Number.NaN;
    });
    const subdirectories = new Set(parent.subdirectories);
    subdirectories.delete(name);
    const replacement: Directory = {
      ...parent,
      names: new Names(entries.map(({ each }) => each)),
      stats,
      states: PackedStates.of(entries.map(({ index }) => (index < 0 ? state : parent.states.get(index)))),
      subdirectories,
    };
    this.put(replacement);
    if (!sameState(before, state)) this.touch(path, before);
    return replacement;
  }

  #countIgnored(directory: Directory, sign: 1 | -1): void {
    const root = directory.ignoredRoot;
    if (root === undefined) return;
    const count = sign * (directory.states.length + directory.subdirectories.size);
    this.#ignoredEntries.set(root, this.ignoredEntries(root) + count);
  }
}

export function joinPath(directory: BytePath, name: string): BytePath {
  return directory === "" ? name : `${directory}/${name}`;
}

export function nameOf(path: BytePath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function directoryState(directory: Directory): RecordedState | undefined {
  if (!directory.empty || directory.path === "") return undefined;
  const mode = (directory.stats[4] ?? 0) & 0o7777;
  return { kind: "directory", mode, ...(directory.ignoredRoot !== undefined && { ignored: true as const }) };
}
