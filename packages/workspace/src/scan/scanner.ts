/**
 * The workspace's files as they are now, kept up to date by looking at what differs.
 *
 *   check ──▶ what looks different ──▶ visit ──▶ directories read again, files to read
 *   (stat table, two threads;                       │
 *    or the watcher's hints)                        ▼
 *                        touched paths ◀── contents read, hashed, stored (two threads)
 *
 * The listing holds, for each directory, its names, what `lstat` said of them and the state that
 * is captured. For every path whose state was replaced since the last commit it remembers what it
 * was then; a capture's change list is that against the listing.
 *
 * Invariants:
 * - A directory is judged by the rules of its parents before anything in it is looked at; nothing
 *   under a directory that is left out is ever read.
 * - An entry whose content is still to be read cannot be taken for unchanged (its ctime is NaN).
 * - A failed or cancelled scan leaves the listing half-way: its owner drops it and starts from the
 *   stat cache.
 */
import { readdirSync, type Stats } from "node:fs";
import type { BytePath } from "../model/model.ts";
import { diskPath, parentOf } from "../model/path-bytes.ts";
import { type RecordedState, sameState } from "../model/state-codec.ts";
import type { CachedDirectory } from "./directory-codec.ts";
import { ignoreFilesChanged, rulesInside } from "./directory-rules.ts";
import {
  classify,
  type EntryFinding,
  isIgnoreFile,
  isReserved,
  isSkipped,
  isUnread,
  isUnreadable,
  look,
  looksUntouched,
  type OldEntry,
  type ScanLimits,
} from "./entry-looks.ts";
import type { IgnoreRules, Verdict } from "./ignore-rules.ts";
import { type Directory, directoryState, joinPath, type Listing, nameOf } from "./listing.ts";
import { Names, NO_NAMES } from "./names.ts";
import { PackedStates } from "./packed-states.ts";
import { type Difference, isRacy, NUMBERS_PER_ENTRY, newStats, putStat } from "./stat-table.ts";
import type { Hints } from "./suspect-paths.ts";

/** A file or link whose content has to be read. */
export interface ReadJob {
  readonly path: BytePath;
  readonly kind: "file" | "link";
  readonly ignored: boolean;
  readonly before: RecordedState | undefined;
  readonly size: number;
  readonly ctime: number;
}

export class Scanner {
  readonly #root: BytePath;
  readonly #limits: ScanLimits;
  readonly #listing: Listing;
  readonly #beforeRead: (directories: readonly BytePath[]) => void;
  readonly #cancelled: () => void;
  readonly #readFiles: (jobs: readonly ReadJob[]) => void;
  #jobs = new Map<BytePath, ReadJob>();

  constructor(options: {
    root: BytePath;
    limits: ScanLimits;
    listing: Listing;
    /** Called before directories are read for the first time, so that a watcher sees later changes. */
    beforeRead: (directories: readonly BytePath[]) => void;
    /** Throws when the capture was cancelled. */
    checkCancelled: () => void;
    /** Reads files, and reports each by `finish`. */
    readFiles: (jobs: readonly ReadJob[]) => void;
  }) {
    this.#root = options.root;
    this.#limits = options.limits;
    this.#listing = options.listing;
    this.#beforeRead = options.beforeRead;
    this.#cancelled = options.checkCancelled;
    this.#readFiles = options.readFiles;
  }

  /** Reads every directory again with new `rules`. Files that look the same are not read. */
  rejudge(rules: IgnoreRules): void {
    this.#readTree([{ path: "", given: rules, ignoredRoot: undefined, suspects: NO_NAMES, rejudge: true }]);
  }

  /** Loads a listing from the stat cache. Inconsistent parts are read again. */
  load(cached: Iterable<CachedDirectory>, rules: IgnoreRules): void {
    const rows = new Map([...cached].map((row) => [row.path, row]));
    const pending: { path: BytePath; given: IgnoreRules }[] = [{ path: "", given: rules }];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const row = rows.get(next.path);
      if (!row) continue;
      const nested = next.path !== "" && look(this.#root, joinPath(next.path, ".git")) !== undefined;
      if (nested) this.#listing.repositories.add(next.path);
      const names = nested ? [...row.names.list, ".git"] : row.names;
      const own = rulesInside(this.#root, next.path, names, next.given);
      const known = [...row.subdirectories].filter((name) => rows.has(joinPath(row.path, name)));
      if (known.length < row.subdirectories.size) row.stats[1] = Number.NaN;
      const subdirectories = known.length < row.subdirectories.size ? new Set(known) : row.subdirectories;
      this.#listing.put({ ...row, subdirectories, slot: -1, given: next.given, rules: own });
      for (const name of known) pending.push({ path: joinPath(row.path, name), given: own });
    }
    this.#listing.changedRows.clear();
  }

  /** Examines the differences that the stat table found. */
  visitDifferences(differences: readonly Difference[]): void {
    const found = differences.map(({ slot, directory, entries }) => {
      const row = this.#listing.at(slot);
      return {
        path: row?.path ?? "",
        reread: directory,
        names: new Set(entries.map((index) => row?.names.list[index] ?? "")),
      };
    });
    found.sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const { path, names, reread } of found) this.#visit(path, names, reread);
  }

  visitHints(hints: Hints): void {
    for (const path of [...hints.keys()].sort()) this.#visit(path, hints.get(path) ?? NO_NAMES, false);
  }

  /** Reads the files that are still to be read after the visits. */
  readRest(): void {
    const jobs = [...this.#jobs.values()];
    this.#jobs = new Map();
    if (jobs.length > 0) this.#readFiles(jobs);
  }

  /** Takes the result of a job: the state, and the numbers of its `lstat` (`putStat`) when it was read. */
  finish(job: ReadJob, state: RecordedState | undefined, numbers: Float64Array): void {
    const directory = this.#listing.get(parentOf(job.path));
    const index = directory ? directory.names.indexOf(nameOf(job.path)) : -1;
    if (!directory || index < 0) return;
    if (!sameState(job.before, state)) this.#listing.touch(job.path, job.before);
    directory.states.set(index, state);
    // An unreadable file keeps what `lstat` says of it, without the ctime, so that a change of it is seen.
    if (!isUnread(state)) directory.stats.set(numbers, (index + 1) * NUMBERS_PER_ENTRY);
    if (!state) directory.stats[1] = Number.NaN;
    this.#listing.rowChanged(directory);
  }

  #visit(path: BytePath, suspects: ReadonlySet<string>, reread: boolean): void {
    const directory = this.#listing.get(path);
    if (!directory) return;
    let again = reread;
    const looked: { index: number; stat: Stats }[] = [];
    for (const name of suspects) {
      if (again) break;
      if (isSkipped(name)) continue;
      const index = directory.names.indexOf(name);
      const stat = look(this.#root, joinPath(path, name));
      const known = index >= 0 || directory.subdirectories.has(name);
      if (!known && stat === undefined) continue;
      // More than an entry has changed: its name appeared or disappeared, it is or was a directory, or it holds ignore
      // rules.
      if (index < 0 || typeof stat !== "object" || stat.isDirectory() || isIgnoreFile(name)) again = true;
      else looked.push({ index, stat });
    }
    if (again) {
      const { given, ignoredRoot } = directory;
      this.#readTree([{ path, given, ignoredRoot, suspects, rejudge: false }]);
      return;
    }
    for (const { index, stat } of looked) {
      const name = directory.names.list[index] ?? "";
      const at = (index + 1) * NUMBERS_PER_ENTRY;
      const old = {
        state: directory.states.get(index),
        stats: directory.stats.slice(at, at + NUMBERS_PER_ENTRY),
        at: 0,
      };
      const verdict = this.#judge(directory, joinPath(path, name), name, false);
      const seen = classify(name, verdict, stat, old, this.#limits);
      putStat(directory.stats, at, stat);
      this.#settle(directory, index, seen, old, stat);
      this.#listing.rowChanged(directory);
    }
  }

  #readTree(start: readonly DirectoryToRead[]): void {
    for (let level = start; level.length > 0; ) {
      this.#cancelled();
      const fresh = level.filter(({ path }) => !this.#listing.get(path)).map(({ path }) => path);
      if (fresh.length > 0) this.#beforeRead(fresh);
      const next: DirectoryToRead[] = [];
      for (const each of level) {
        for (const below of this.#read(each)) next.push(below);
        // Not all at the end: a list of every file would take more memory than the listing.
        if (this.#jobs.size >= MOST_JOBS) this.readRest();
      }
      level = next;
    }
  }

  /** Reads one directory; returns the subdirectories that have to be read next. */
  #read(request: DirectoryToRead): DirectoryToRead[] {
    const { path, given, ignoredRoot, suspects } = request;
    if (path !== "" && !this.#listing.get(parentOf(path))?.subdirectories.has(nameOf(path))) return [];
    const now = Date.now();
    const own = look(this.#root, path);
    if (typeof own === "object" && this.#listing.get(path) && this.#listing.get(path)?.stats[2] !== own.ino) {
      // A different directory with the same name: all knowledge of the old one is invalid.
      this.#listing.removeTree(path);
      this.#beforeRead([path]);
    }
    const old = this.#listing.get(path);
    const names = typeof own === "object" && own.isDirectory() ? this.#list(path) : own && "unreadable";
    if (typeof own !== "object" || typeof names !== "object") {
      this.#leaveOut(path, names === undefined ? undefined : "unreadable");
      return [];
    }
    const changedRules =
      request.rejudge ||
      (old !== undefined &&
        (old.given !== given || old.ignoredRoot !== ignoredRoot || ignoreFilesChanged(old, names, suspects)));
    if (names.includes(".git")) this.#listing.repositories.add(path);
    else this.#listing.repositories.delete(path);
    const rules = old && !changedRules ? old.rules : rulesInside(this.#root, path, names, given);
    const within = { rules, ignoredRoot };
    const next: DirectoryToRead[] = [];
    const entries: ReadEntry[] = [];
    const subdirectories = new Set<string>();
    let skipped = false;
    for (const name of names) {
      if (isSkipped(name)) {
        skipped = true;
        continue;
      }
      const index = old ? old.names.indexOf(name) : -1;
      const at = (index + 1) * NUMBERS_PER_ENTRY;
      const was = old && index >= 0 ? { state: old.states.get(index), stats: old.stats, at } : undefined;
      if (was && !changedRules && !suspects.has(name)) {
        entries.push({ name, was });
        continue;
      }
      const entry = joinPath(path, name);
      const stat = look(this.#root, entry);
      if (stat === undefined) continue;
      if (stat === "unreadable") {
        entries.push({ name, was, seen: { kind: "uncovered", reason: "unreadable" } });
        continue;
      }
      if (stat.isDirectory() && isUnread(was?.state) && this.#list(entry) === "unreadable") {
        entries.push({ name, was, seen: { kind: "uncovered", reason: "unreadable" } });
        continue;
      }
      const verdict = this.#judge(within, entry, name, stat.isDirectory());
      if (stat.isDirectory() && (verdict === "kept" || verdict === "ignored") && !isReserved(name)) {
        subdirectories.add(name);
        const root = ignoredRoot ?? (verdict === "ignored" ? entry : undefined);
        const known = this.#listing.get(entry);
        const stale = known && (known.given !== rules || known.ignoredRoot !== root || known.stats[2] !== stat.ino);
        if (!known || stale || changedRules || suspects.has(name)) {
          next.push({ path: entry, given: rules, ignoredRoot: root, suspects: NO_NAMES, rejudge: changedRules });
        }
        continue;
      }
      entries.push({ name, was, stat, seen: classify(name, verdict, stat, was, this.#limits) });
    }
    if (ignoredRoot !== undefined && this.#isOverBudget(ignoredRoot, old, entries.length + subdirectories.size))
      return [];

    const directory: Directory = {
      path,
      slot: old?.slot ?? -1,
      names: new Names(entries.map(({ name }) => name)),
      stats: newStats(entries.length),
      states: PackedStates.of(entries.map(({ was }) => was?.state)),
      // Most directories have none: an empty set for each would take a third of the listing's memory.
      subdirectories: subdirectories.size > 0 ? subdirectories : NO_NAMES,
      empty: entries.length === 0 && subdirectories.size === 0 && !skipped,
      ignoredRoot,
      given,
      rules,
    };
    putStat(directory.stats, 0, own);
    if (isRacy(own, now)) directory.stats[1] = Number.NaN;
    if (old) this.#forgetMissing(old, directory);
    const before = this.#listing.stateOf(path);
    this.#listing.put(directory);
    if (!sameState(before, directoryState(directory))) this.#listing.touch(path, before);
    entries.forEach(({ was, stat, seen }, index) => {
      const at = (index + 1) * NUMBERS_PER_ENTRY;
      if (stat) putStat(directory.stats, at, stat);
      else if (was) directory.stats.set(was.stats.subarray(was.at, was.at + NUMBERS_PER_ENTRY), at);
      if (seen) this.#settle(directory, index, seen, was, stat);
    });
    return next;
  }

  #settle(
    directory: Directory,
    index: number,
    seen: EntryFinding,
    old: OldEntry | undefined,
    stat: Stats | undefined,
  ): void {
    const path = joinPath(directory.path, directory.names.list[index] ?? "");
    const before = old?.state;
    // Also where the file is captured from now on: unless it was claimed, its bytes before the change are nowhere.
    const wasLeftOut = before?.kind === "uncovered" && !this.#listing.claims.has(path);
    const isLeftOut = seen.kind === "uncovered" || wasLeftOut;
    if (isLeftOut && old && stat && !looksUntouched(old, stat)) this.#listing.leftOutChanged.add(path);
    if (seen.kind === "read") {
      // The first of several jobs for a path in one scan holds the committed state.
      const first = this.#jobs.get(path)?.before ?? before;
      const { size, ctimeMs: ctime } = stat ?? { size: 0, ctimeMs: 0 };
      this.#jobs.set(path, { path, kind: seen.as, ignored: seen.ignored, before: first, size, ctime });
      directory.stats[(index + 1) * NUMBERS_PER_ENTRY + 1] = Number.NaN;
      return;
    }
    this.#jobs.delete(path);
    const state = seen.kind === "known" ? seen.state : seen;
    directory.states.set(index, state);
    if (!sameState(before, state)) this.#listing.touch(path, before);
    if (seen.kind === "uncovered" && !stat) directory.stats[(index + 1) * NUMBERS_PER_ENTRY + 1] = Number.NaN;
  }

  #judge(
    within: { rules: IgnoreRules; ignoredRoot: BytePath | undefined },
    path: BytePath,
    name: string,
    isDirectory: boolean,
  ): Verdict {
    const verdict = within.rules.judge(path, name, isDirectory);
    return within.ignoredRoot !== undefined && verdict === "kept" ? "ignored" : verdict;
  }

  /** An ignored directory with too many entries is left out as a whole. */
  #isOverBudget(root: BytePath, old: Directory | undefined, entries: number): boolean {
    const counted = old?.ignoredRoot === root ? old.states.length + old.subdirectories.size : 0;
    if (this.#listing.ignoredEntries(root) - counted + entries <= this.#limits.mostIgnoredEntries) return false;
    this.#leaveOut(root, "ignored");
    return true;
  }

  /**
   * The numbers of an unreadable path differ from everything, so that every scan tries again: it may be unreadable only
   * for a moment.
   */
  #leaveOut(path: BytePath, reason: "ignored" | "unreadable" | undefined): void {
    const stat = reason === "unreadable" ? undefined : look(this.#root, path);
    const numbers = new Float64Array(NUMBERS_PER_ENTRY);
    if (typeof stat === "object") putStat(numbers, 0, stat);
    const state = reason && ({ kind: "uncovered", reason } as const);
    this.#listing.replaceTree(path, state, typeof stat === "object" ? numbers : undefined);
  }

  /** Removes everything that `old` had and `current` does not have, with all that was under it. */
  #forgetMissing(old: Directory, current: Directory): void {
    old.names.forEach((name, index) => {
      if (current.names.indexOf(name) >= 0) return;
      const path = joinPath(old.path, name);
      this.#listing.touch(path, old.states.get(index));
      if (old.states.isUncovered(index)) this.#listing.leftOutChanged.add(path);
    });
    for (const name of old.subdirectories) {
      if (!current.subdirectories.has(name)) this.#listing.removeTree(joinPath(old.path, name));
    }
  }

  #list(path: BytePath): string[] | "unreadable" | undefined {
    try {
      return readdirSync(diskPath(this.#root, path), "latin1").sort();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      if (isUnreadable(error)) return "unreadable";
      throw error;
    }
  }
}

interface DirectoryToRead {
  readonly path: BytePath;
  readonly given: IgnoreRules;
  readonly ignoredRoot: BytePath | undefined;
  /** Names that may have changed; new names are examined anyway. */
  readonly suspects: ReadonlySet<string>;
  readonly rejudge: boolean;
}

interface ReadEntry {
  readonly name: string;
  readonly was: OldEntry | undefined;
  readonly stat?: Stats;
  /** Absent when it was not examined, because nothing suggests that it changed. */
  readonly seen?: EntryFinding;
}

const MOST_JOBS = 2_000;
