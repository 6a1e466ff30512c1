/**
 * Captures one workspace. Synchronous.
 *
 * A capture is a row: its parent, the changes since the parent, and a receipt. When nothing changed, no row is added:
 * the capture is its parent. Reading a capture folds change lists. To keep this fast, a capture also holds a whole
 * listing once the change lists since the last listing are together as long as a listing.
 *
 * The order of writes makes a crash harmless. Contents are flushed in, or before, the transaction that names them
 * (`ObjectStore.flush`). The stat cache is saved after the capture it belongs to, with that capture's id. An old stat
 * cache, or one written by several processes, is still usable: its content is compared with the last capture.
 */

import type { Database } from "../database/database.ts";
import { StoreError } from "../database/store-error.ts";
import { ByteWriter } from "../model/byte-codec.ts";
import { CaptureError } from "../model/capture-error.ts";
import type { BytePath, CaptureId, Change, Uncovered } from "../model/model.ts";
import { decodeChanges, encodeChanges, encodeListing, hasContent, sameState } from "../model/state-codec.ts";
import { creationsInOrder, treeName } from "../model/tree-name.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { type Claim, type ClaimChanges, claimAll, lookAtClaims } from "../scan/claimed-paths.ts";
import { decodeDirectory, encodeDirectory } from "../scan/directory-codec.ts";
import type { ScanLimits } from "../scan/entry-looks.ts";
import { leftOutChanges } from "../scan/left-out-changes.ts";
import { Listing } from "../scan/listing.ts";
import { OuterRules } from "../scan/outer-rules.ts";
import { newCounters } from "../scan/read-jobs.ts";
import { Reading } from "../scan/reading.ts";
import type { ScanHelper } from "../scan/scan-helper.ts";
import { type ReadJob, Scanner } from "../scan/scanner.ts";
import { StatTable, takeSlots } from "../scan/stat-table.ts";
import { type Hints, withPaths } from "../scan/suspect-paths.ts";
import { CaptureLog } from "./capture-log.ts";
import { byBytes, readCapture } from "./capture-tree.ts";
import { changeList } from "./change-list.ts";
import { Claims } from "./claims.ts";
import { counted } from "./count-changes.ts";
import type { Receipt } from "./receipt.ts";
import { type CacheFacts, StatCache } from "./stat-cache.ts";

/** With fewer directories, one thread is done before a second one could help. */
const DIRECTORIES_WORTH_SHARING = 64;
const SHORTEST_DISTANCE = 2_000;
/** About as many pages as the loose objects of a few turns need. */
const FREE_PAGES_TO_KEEP = 64;

export interface EngineOptions {
  readonly root: BytePath;
  /**
   * The base of every `lstat` path: the root, or `.` when the process's directory is the root, which saves the kernel
   * the path lookup.
   */
  readonly lookFrom: BytePath;
  readonly database: Database;
  readonly objects: ObjectStore;
  /** A second thread, if there is one; requested only when there is enough work for it. */
  readonly helper: () => ScanHelper | undefined;
  readonly limits: ScanLimits;
  readonly caches: readonly string[];
  readonly globalExcludes: string | undefined;
  readonly cancel: Int32Array;
  readonly onProgress: (files: number, bytes: number) => void;
  /** Called before directories are read for the first time, so that a watcher sees later changes. */
  readonly beforeRead: (directories: readonly BytePath[]) => void;
  /** Called when a directory is no longer captured. */
  readonly onRemoved: (directory: BytePath) => void;
}

export interface Captured {
  readonly id: CaptureId;
  readonly parent: CaptureId | undefined;
  /** Empty for the first capture of a workspace, in which everything is new. */
  readonly changes: readonly Change[];
  readonly receipt: Receipt;
  /** The directories that hold a `.git`. */
  readonly repositories: readonly BytePath[];
}

/** Paths that a capture looks at besides the covered ones. */
export interface Beside {
  /** Paths that a tool is about to change: captured also where they are left out, from now on. */
  readonly named?: readonly BytePath[];
  /** Left-out paths that changed after this time are reported; with `named`, only those. In milliseconds. */
  readonly since?: number;
}

export class CaptureEngine {
  readonly #options: EngineOptions;
  readonly #log: CaptureLog;
  readonly #workspace: number;
  readonly #statCache: StatCache;
  readonly #claims: Claims;
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
    this.#claims = new Claims(options.database, this.#workspace);
    this.#outer = new OuterRules(options.root, options.caches, options.globalExcludes);
    this.#reading = new Reading({ ...options, onRead: (files, bytes) => this.#progress(files, bytes) });
  }

  /** With `hints`, looks only at those names; without, at everything. */
  capture(hints?: Hints, beside: Beside = {}): Captured {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const claims = this.#claims.all();
        const line = this.#line ?? this.#open(claims);
        line.uncounted = claimAll(line.listing, claims);
        this.#follow(line);
        // Hints cover the time since the last capture; a listing from the stat cache may be older.
        const foundBy = this.#scan(line, line === this.#line ? hints : undefined, beside.named ?? []);
        const { root, limits, objects } = this.#options;
        const { listing } = line;
        const claimed = lookAtClaims({ root, limits, objects, listing }, claims, beside.named ?? []);
        if (beside.since !== undefined)
          for (const path of leftOutChanges(root, listing, beside.since, beside.named))
            listing.leftOutChanged.add(path);
        const captured = this.#commit(line, foundBy, claimed);
        this.#line = line;
        return captured;
      } catch (error) {
        this.#reading.abandon();
        this.#options.objects.forget();
        this.#line = undefined;
        // gc deleted an object that this capture relies on, or the capture it follows. Start again from disk.
        if (attempt < 3 && error instanceof StoreError && error.code === "collected") continue;
        throw error;
      }
    }
  }

  /** How often the listing was read from the stat cache. */
  get openings(): number {
    return this.#openings;
  }

  /** Every directory that is captured. */
  *directories(): Iterable<BytePath> {
    if (this.#line) for (const { path } of this.#line.listing.directories) yield path;
  }

  /**
   * Does work that can wait for an idle moment: compressing, the stat cache, and the second thread's table. Returns
   * whether there is more.
   */
  tidy(): boolean {
    if (this.#options.objects.settle()) return true;
    this.#options.database.shrink(FREE_PAGES_TO_KEEP);
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

  /** Reads the listing from the stat cache, and compares it with the workspace's last capture. */
  #open(claims: ReadonlyMap<BytePath, Claim>): Line {
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
    claimAll(listing, claims);
    const rules = this.#outer.read();
    const { facts, found } = this.#options.database.snapshot(() => ({
      facts: this.#statCache.facts,
      found: [...this.#statCache.rows()].map((row) => decodeDirectory(row.directory, row.entries)),
    }));
    const rows = found.filter((row) => row !== undefined);
    // Rows of another version are dropped. The cache then lacks files of its capture, which would count as deleted; so
    // it must not name the capture.
    const cache = rows.length === found.length ? facts : { ...facts, capture: undefined };
    scanner.load(rows, rules);
    const whole = { files: 0, bytes: 0, uncovered: new Map(), uncounted: new Set<BytePath>() };
    const line: Line = { listing, scanner, table, unsent, cache, parent: undefined, ...whole };
    if (parent !== undefined) this.#beginAt(line, parent);
    // Rows of several processes may have been judged by different ignore files.
    const isJudged = cache.rules === this.#rulesFingerprint() && cache.capture !== undefined;
    if (!isJudged && listing.get("")) scanner.rejudge(rules);
    return line;
  }

  /** Makes a listing from the stat cache follow the workspace's last capture, comparing them where they may differ. */
  #beginAt(line: Line, latest: CaptureId): void {
    const { files, bytes } = this.#log.totals(latest);
    Object.assign(line, { parent: line.cache.capture, files, bytes });
    this.#follow(line);
    if (line.parent !== latest) this.#compareWith(line, latest);
    else line.uncovered = new Map(line.listing.uncovered());
  }

  #compareWith(line: Line, parent: CaptureId): void {
    line.parent = parent;
    const before = new Map(readCapture(this.#options.database, parent).recorded());
    for (const [path, state] of before) if (state.kind === "uncovered") line.uncovered.set(path, state.reason);
    // A claim's own state is the one to compare with: the capture may lack it, and the stat cache may know an older one.
    for (const [path, state] of line.listing.claims) line.listing.touch(path, state);
    for (const [path, state] of line.listing.states()) {
      const was = before.get(path);
      before.delete(path);
      if (sameState(was, state)) continue;
      line.listing.touch(path, was);
      // It may be in no capture that gc keeps, so gc may have deleted its content.
      if (hasContent(state) && !this.#options.objects.has(state.hash)) line.listing.distrust(path);
    }
    for (const [path, was] of before) line.listing.touch(path, was);
  }

  /**
   * When a restore has recorded its result as a capture that follows this line's, continues from there: the files on
   * disk match it already and are not stored a second time.
   */
  #follow(line: Line): void {
    const latest = this.#log.latest(this.#workspace);
    if (latest === undefined || line.parent === undefined || latest === line.parent) return;
    const { parent, changes: encoded, files, bytes, receipt } = this.#log.get(latest);
    // A capture by another process holds changes that this one has not seen.
    if (parent !== line.parent || JSON.parse(receipt).foundBy !== "restore") return;
    const changes = decodeChanges(encoded);
    // The listing holds no state of a path that was left out, so there is nothing to compare.
    if (changes.some(({ before, after }) => before?.kind === "uncovered" || after?.kind === "uncovered")) return;
    for (const { path, after } of changes) line.listing.touch(path, after);
    Object.assign(line, { parent: latest, files, bytes });
  }

  #scan(line: Line, hints: Hints | undefined, named: readonly BytePath[]): Receipt["foundBy"] {
    const { scanner, listing, table } = line;
    let foundBy: Receipt["foundBy"] = "full-scan";
    if (!listing.get("")) {
      foundBy = "first-scan";
      scanner.rejudge(this.#outer.read());
    } else if (this.#outer.stale) {
      scanner.rejudge(this.#outer.read());
    } else if (hints) {
      foundBy = "hints";
      // No watcher reports when an unreadable path becomes readable. The files of a tool are looked at in any case.
      const unread = [...line.uncovered].flatMap(([path, reason]) => (reason === "unreadable" ? [path] : []));
      scanner.visitHints(withPaths(hints, [...unread, ...named], listing));
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

  #commit(line: Line, foundBy: Receipt["foundBy"], claimed: ClaimChanges): Captured {
    const { database, objects } = this.#options;
    const { listing, parent } = line;
    const changes = changeList(listing);
    const totals = { files: line.files, bytes: line.bytes };
    const uncovered = new Map(line.uncovered);
    // Everything in a first capture is new, and is in its listing.
    const list = parent === undefined ? creationsInOrder(listing.states()) : changes;
    const name = treeName(parent ?? "", counted(list, totals, uncovered, line.uncounted));
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
      if (claimed.size > 0) database.transaction(() => this.#saveClaims(claimed));
      objects.forget();
      listing.committed();
      return { id: parent, parent, changes, receipt, repositories: [...listing.repositories] };
    }
    const id = database.transaction(() => {
      this.#saveClaims(claimed);
      if (parent !== undefined && !this.#log.has(parent)) throw collected();
      for (const { after } of changes) if (hasContent(after) && !objects.has(after.hash)) throw collected();
      const { uncovered: _, ...stored } = receipt;
      const distance = (parent === undefined ? 0 : this.#log.totals(parent).distance) + changes.length;
      const whole = parent === undefined || distance > Math.max(SHORTEST_DISTANCE, totals.files);
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
    return { id, parent, changes, receipt, repositories: [...listing.repositories] };
  }

  /** With their content, in the caller's transaction: a tool changes it next. */
  #saveClaims(claimed: ClaimChanges): void {
    this.#options.objects.flush();
    for (const [path, claim] of claimed) claim ? this.#claims.put(path, claim) : this.#claims.drop(path);
  }

  /** Sends the second thread the rows it lacks and returns it; undefined when its help is not worth it. */
  #sendRows(line: Line): ScanHelper | undefined {
    const helper = line.table.slots > DIRECTORIES_WORTH_SHARING ? this.#options.helper() : undefined;
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

/** A listing, and the capture it follows. */
interface Line {
  readonly listing: Listing;
  readonly scanner: Scanner;
  readonly table: StatTable;
  /** Slots that the second thread has not received yet. */
  readonly unsent: Set<number>;
  parent: CaptureId | undefined;
  files: number;
  bytes: number;
  uncovered: Map<BytePath, Uncovered["reason"]>;
  /** Claimed paths that are in no capture yet. */
  uncounted: ReadonlySet<BytePath>;
  /** The facts of the stat cache when this was last read from it or saved to it. */
  cache: CacheFacts;
}

function* rowsToSave(listing: Listing): Iterable<{ directory: BytePath; entries: Buffer | undefined }> {
  const writer = new ByteWriter();
  for (const directory of listing.changedRows) {
    const found = listing.get(directory);
    yield { directory, entries: found && encodeDirectory(found, writer) };
  }
}

function collected(): StoreError {
  return new StoreError("collected", "The capture before this one was removed from the store. Nothing was changed.");
}

function missingRoot(): CaptureError {
  return new CaptureError("refused-root", "The workspace's directory is gone or cannot be read. Nothing was saved.");
}
