/**
 * Captures one workspace. Synchronous.
 *
 * A capture is a row: its parent, the changes since, and a receipt. A capture in which nothing
 * changed is its parent. Reading a capture folds change lists; so that this stays cheap, a capture
 * holds a whole listing as well when the lists since the last one together are as long as it.
 *
 * The order that makes a crash harmless: contents are flushed in, or before, the transaction that
 * names them (`ObjectStore.flush`), and the stat cache is saved after the capture it belongs to, with
 * that capture's id. A stat cache that is older, or of several processes, is a cache all the same: what
 * is taken from it is compared with the capture that this one follows.
 */

import type { Database } from "../database/database.ts";
import { StoreError } from "../database/store-error.ts";
import { ByteWriter } from "../model/byte-codec.ts";
import { CaptureError } from "../model/capture-error.ts";
import type { BytePath, CaptureId, Change, FileState, Hash, Uncovered } from "../model/model.ts";
import { decodeChanges, encodeChanges, encodeListing, type RecordedState, sameState } from "../model/state-codec.ts";
import { creationsInOrder, treeName } from "../model/tree-name.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { decodeDirectory, encodeDirectory } from "../scan/directory-codec.ts";
import type { ScanLimits } from "../scan/entry-looks.ts";
import { Listing } from "../scan/listing.ts";
import { OuterRules } from "../scan/outer-rules.ts";
import { newCounters } from "../scan/read-jobs.ts";
import { Reading } from "../scan/reading.ts";
import type { ScanHelper } from "../scan/scan-helper.ts";
import { type ReadJob, Scanner } from "../scan/scanner.ts";
import { StatTable, takeSlots } from "../scan/stat-table.ts";
import { CaptureLog } from "./capture-log.ts";
import { byBytes, readCapture } from "./capture-tree.ts";
import { changeList } from "./change-list.ts";
import type { Receipt } from "./receipt.ts";
import { type CacheFacts, StatCache } from "./stat-cache.ts";
import { unreadPaths } from "./unread-paths.ts";

/** Below this many, one thread is done before the other has helped. */
const directoriesWorthSharing = 64;
const shortestDistance = 2_000;
/** About as many as the loose objects of a few turns take. */
const freePagesToKeep = 64;

export interface EngineOptions {
  readonly root: BytePath;
  /** Where every file is looked at from: the root, or `.` where the process stands in it, which saves the kernel the way. */
  readonly lookFrom: BytePath;
  readonly database: Database;
  readonly objects: ObjectStore;
  /** A second thread, if there is one; asked for only when there is enough for it to do. */
  readonly helper: () => ScanHelper | undefined;
  readonly limits: ScanLimits;
  readonly caches: readonly string[];
  readonly globalExcludes: string | undefined;
  readonly cancel: Int32Array;
  readonly onProgress: (files: number, bytes: number) => void;
  /** Called before directories are read for the first time, so that a watcher sees what comes after. */
  readonly beforeRead: (directories: readonly BytePath[]) => void;
  /** Called for a directory that is captured no more. */
  readonly onRemoved: (directory: BytePath) => void;
}

export interface Captured {
  readonly id: CaptureId;
  readonly parent: CaptureId | undefined;
  /** Empty for the first capture of a workspace: all that it holds is new. */
  readonly changes: readonly Change[];
  readonly receipt: Receipt;
}

/** Directories with the names in them that something happened to. */
export type Hints = ReadonlyMap<BytePath, ReadonlySet<string>>;

export class CaptureEngine {
  readonly #options: EngineOptions;
  readonly #log: CaptureLog;
  readonly #workspace: number;
  readonly #statCache: StatCache;
  readonly #outer: OuterRules;
  readonly #reading: Reading;
  #line: Line | undefined;
  #openings = 0;
  #lastProgress = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#log = new CaptureLog(options.database);
    this.#workspace = this.#log.workspaceId(Buffer.from(options.root, "latin1"));
    this.#statCache = new StatCache(options.database, this.#workspace);
    this.#outer = new OuterRules(options.root, options.caches, options.globalExcludes);
    this.#reading = new Reading({ ...options, onRead: (files, bytes) => this.#progress(files, bytes) });
  }

  /** With `hints`, looks only there; without, at everything. */
  capture(hints?: Hints): Captured {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const line = this.#line ?? this.#open();
        this.#follow(line);
        // Hints begin where the last capture ended; a listing from the stat cache may be older.
        const foundBy = this.#scan(line, line === this.#line ? hints : undefined);
        const captured = this.#commit(line, foundBy);
        this.#line = line;
        return captured;
      } catch (error) {
        this.#reading.abandon();
        this.#options.objects.forget();
        this.#line = undefined;
        // gc took an object that this capture found there, or the capture it follows. Once more, from disk.
        if (attempt < 3 && error instanceof StoreError && error.code === "collected") continue;
        throw error;
      }
    }
  }

  /** How often the listing was taken from the stat cache. */
  get openings(): number {
    return this.#openings;
  }

  /** Every directory that is captured. */
  *directories(): Iterable<BytePath> {
    if (this.#line) for (const { path } of this.#line.listing.directories) yield path;
  }

  /**
   * What can wait until nobody does: compressing, the stat cache, and the second thread's table.
   * Answers whether there is more of it.
   */
  tidy(): boolean {
    if (this.#options.objects.settle()) return true;
    this.#options.database.shrink(freePagesToKeep);
    if (this.#line) this.#tidyLine(this.#line);
    return false;
  }

  #tidyLine(line: Line): void {
    this.#sendRows(line);
    const now = { rules: this.#rulesFingerprint(), capture: line.parent };
    const { cache, listing } = line;
    const known = cache.rules === now.rules && (cache.capture === now.capture || cache.version === undefined);
    if (known && listing.changedRows.size === 0) return;
    line.cache = this.#statCache.save(cache, now, rowsToSave(listing));
    listing.changedRows.clear();
  }

  /** The listing as the stat cache has it, set against the workspace's last capture. */
  #open(): Line {
    this.#openings += 1;
    const { root, lookFrom, limits, beforeRead } = this.#options;
    const table = new StatTable(lookFrom);
    const unsent = new Set<number>();
    const parent = this.#log.latest(this.#workspace);
    const listing = new Listing(parent !== undefined, (slot, directory, path) => {
      table.set(slot, directory);
      unsent.add(slot);
      if (!directory) this.#options.onRemoved(path);
    });
    const checkCancelled = () => this.#checkCancelled();
    const readFiles = (jobs: readonly ReadJob[]) => this.#reading.read(scanner, jobs);
    const scanner: Scanner = new Scanner({ root, limits, listing, beforeRead, checkCancelled, readFiles });
    const rules = this.#outer.read();
    const { facts, found } = this.#options.database.snapshot(() => ({
      facts: this.#statCache.facts,
      found: [...this.#statCache.rows()].map((row) => decodeDirectory(row.directory, row.entries)),
    }));
    const rows = found.filter((row) => row !== undefined);
    // Without the rows that another version wrote the cache does not have the files of its capture: they would count as gone.
    const cache = rows.length === found.length ? facts : { ...facts, capture: undefined };
    scanner.load(rows, rules);
    const whole = { files: 0, bytes: 0, uncovered: new Map() };
    const line: Line = { listing, scanner, table, unsent, cache, parent: undefined, ...whole };
    if (parent !== undefined) this.#beginAt(line, parent);
    if (cache.rules !== this.#rulesFingerprint() && listing.get("")) scanner.rejudge(rules);
    return line;
  }

  /** Has a listing from the stat cache follow the workspace's last capture. They are compared where they may differ. */
  #beginAt(line: Line, latest: CaptureId): void {
    const { files, bytes } = this.#log.get(latest);
    Object.assign(line, { parent: line.cache.capture, files, bytes });
    this.#follow(line);
    if (line.parent !== latest) this.#compareWith(line, latest);
    else line.uncovered = new Map(line.listing.uncovered());
  }

  #compareWith(line: Line, parent: CaptureId): void {
    line.parent = parent;
    const before = new Map(readCapture(this.#options.database, parent).recorded());
    for (const [path, state] of before) noteUncovered(line, path, state);
    for (const [path, state] of line.listing.states()) {
      const was = before.get(path);
      before.delete(path);
      if (sameState(was, state)) continue;
      line.listing.touch(path, was);
      // Named by no capture that is surely kept, so gc may have taken its content.
      if (hasContent(state) && !this.#options.objects.has(state.hash)) line.listing.distrust(path);
    }
    for (const [path, was] of before) line.listing.touch(path, was);
  }

  /**
   * Where a restore has written down what it made of this line's capture, goes on from there: what it changed is
   * found on disk as it says, and is not stored a second time.
   */
  #follow(line: Line): void {
    const latest = this.#log.latest(this.#workspace);
    if (latest === undefined || line.parent === undefined || latest === line.parent) return;
    const { parent, changes: encoded, files, bytes, receipt } = this.#log.get(latest);
    // What another opening found by itself is news to this one.
    if (parent !== line.parent || JSON.parse(receipt).foundBy !== "restore") return;
    const changes = decodeChanges(encoded);
    // What was left out has no state that the listing could be compared with.
    if (changes.some(({ before, after }) => before?.kind === "uncovered" || after?.kind === "uncovered")) return;
    for (const { path, after } of changes) line.listing.touch(path, after);
    Object.assign(line, { parent: latest, files, bytes });
  }

  #scan(line: Line, hints: Hints | undefined): Receipt["foundBy"] {
    const { scanner, listing, table } = line;
    let foundBy: Receipt["foundBy"] = "full-scan";
    if (!listing.get("")) {
      foundBy = "first-scan";
      scanner.rejudge(this.#outer.read());
    } else if (this.#outer.stale) {
      scanner.rejudge(this.#outer.read());
    } else if (hints) {
      foundBy = "hints";
      scanner.visitHints(hints);
      // Nobody tells when what could not be read can be read again.
      scanner.visitHints(unreadPaths(line.uncovered));
    } else {
      const own = (shared: Int32Array) => takeSlots(table, shared, () => this.#isCancelled());
      const helper = this.#sendRows(line);
      const found = helper ? helper.check(own) : own(newCounters());
      this.#checkCancelled();
      scanner.visitDifferences(found);
    }
    scanner.readRest();
    this.#reading.end(scanner);
    if (!listing.get("")) throw missingRoot();
    return foundBy;
  }

  #commit(line: Line, foundBy: Receipt["foundBy"]): Captured {
    const { database, objects } = this.#options;
    const { listing, parent } = line;
    const changes = changeList(listing);
    const totals = { files: line.files, bytes: line.bytes };
    const uncovered = new Map(line.uncovered);
    // All that a first capture holds is new, and is in its listing.
    const made = parent === undefined ? creationsInOrder(listing.states()) : changes;
    const name = treeName(parent ?? "", counted(made, totals, uncovered));
    const receipt: Receipt = {
      ...totals,
      changed: parent === undefined ? totals.files : changes.length,
      ignoredChanged: changes.filter(({ after }) => after && "ignored" in after).map(({ path }) => path),
      leftOutChanged: [...listing.leftOutChanged].sort(byBytes),
      uncovered: [...uncovered].map(([path, reason]) => ({ path, reason })).sort((a, b) => byBytes(a.path, b.path)),
      foundBy,
    };
    this.#checkCancelled();
    if (parent !== undefined && changes.length === 0) {
      if (!this.#log.has(parent)) throw collected();
      objects.forget();
      listing.committed();
      return { id: parent, parent, changes, receipt };
    }
    const id = database.transaction(() => {
      objects.flush();
      if (parent !== undefined && !this.#log.has(parent)) throw collected();
      for (const { after } of changes) if (hasContent(after) && !objects.has(after.hash)) throw collected();
      const { uncovered: _, ...stored } = receipt;
      const distance = (parent === undefined ? 0 : this.#log.get(parent).distance) + changes.length;
      const whole = parent === undefined || distance > Math.max(shortestDistance, totals.files);
      return this.#log.add({
        id: name,
        workspace: this.#workspace,
        parent,
        createdAt: Date.now(),
        ...totals,
        changes: encodeChanges(changes),
        distance: whole ? 0 : distance,
        listing: whole ? encodeListing(listing.states()) : undefined,
        receipt: JSON.stringify(stored),
      });
    });
    listing.committed();
    Object.assign(line, { parent: id, ...totals, uncovered });
    return { id, parent, changes, receipt };
  }

  /** The second thread, with the same table as this one; undefined where it is not worth it. */
  #sendRows(line: Line): ScanHelper | undefined {
    const helper = line.table.slots > directoriesWorthSharing ? this.#options.helper() : undefined;
    if (!helper) return undefined;
    if (line.unsent.size > 0) helper.sendRows([...line.unsent].map((slot) => [slot, line.listing.at(slot)] as const));
    line.unsent.clear();
    return helper;
  }

  #rulesFingerprint(): string {
    return JSON.stringify([this.#outer.fingerprint, this.#options.caches, this.#options.limits]);
  }

  #progress(files: number, bytes: number): void {
    this.#checkCancelled();
    const now = performance.now();
    if (now - this.#lastProgress < 100) return;
    this.#lastProgress = now;
    this.#options.onProgress(files, bytes);
  }

  #isCancelled(): boolean {
    return Atomics.load(this.#options.cancel, 0) !== 0;
  }

  #checkCancelled(): void {
    if (!this.#isCancelled()) return;
    throw new CaptureError("cancelled", "The capture was cancelled. Nothing was saved, and no file was changed.");
  }
}

/** A listing, and the capture that it follows. */
interface Line {
  readonly listing: Listing;
  readonly scanner: Scanner;
  readonly table: StatTable;
  /** Slots that the second thread has not seen yet. */
  readonly unsent: Set<number>;
  parent: CaptureId | undefined;
  files: number;
  bytes: number;
  uncovered: Map<BytePath, Uncovered["reason"]>;
  /** What the stat cache was when this was read from it, or saved to it last. */
  cache: CacheFacts;
}

function noteUncovered({ uncovered }: Line, path: BytePath, state: RecordedState): void {
  if (state.kind === "uncovered") uncovered.set(path, state.reason);
}

function* rowsToSave(listing: Listing): Iterable<{ directory: BytePath; entries: Buffer | undefined }> {
  const writer = new ByteWriter();
  for (const directory of listing.changedRows) {
    const found = listing.get(directory);
    yield { directory, entries: found && encodeDirectory(found, writer) };
  }
}

function hasContent(state: RecordedState | undefined): state is Extract<FileState, { hash: Hash }> {
  return state?.kind === "file" || state?.kind === "link";
}

/** Hands changes on, and counts them. */
function* counted(
  changes: Iterable<Change>,
  totals: { files: number; bytes: number },
  uncovered: Map<BytePath, Uncovered["reason"]>,
): Iterable<Change> {
  for (const change of changes) {
    count(totals, uncovered, change);
    yield change;
  }
}

function count(
  totals: { files: number; bytes: number },
  uncovered: Map<BytePath, Uncovered["reason"]>,
  { path, before, after }: Change,
): void {
  for (const [state, sign] of [[before, -1] as const, [after, 1] as const]) {
    if (!state || state.kind === "directory") continue;
    if (state.kind === "uncovered") {
      if (state.inherited) continue;
      if (sign > 0) uncovered.set(path, state.reason);
      else uncovered.delete(path);
      continue;
    }
    totals.files += sign;
    totals.bytes += sign * state.size;
  }
}

function collected(): StoreError {
  return new StoreError("collected", "The capture before this one was removed from the store. Nothing was changed.");
}

function missingRoot(): CaptureError {
  return new CaptureError("refused-root", "The workspace's directory is gone or cannot be read. Nothing was saved.");
}
