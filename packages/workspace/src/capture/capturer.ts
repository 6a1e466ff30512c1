import { join } from "node:path";
import type { Database } from "../database/database.ts";
import type { BytePath, CaptureId, Hash } from "../model/model.ts";
import { treeId } from "../model/tree-id.ts";
import { ObjectStore } from "../objects/object-store.ts";
import type { ScanLimits } from "../scan/entry-looks.ts";
import type { ScanHelper } from "../scan/scan-helper.ts";
import type { Watcher } from "../scan/watcher.ts";
import { type Beside, type Captured, CaptureEngine } from "./capture-engine.ts";
import { CaptureLog } from "./capture-log.ts";
import { readCapture } from "./capture-tree.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { type DiffQuery, diffCaptures, type FileDiff, partOf } from "./diff-captures.ts";

/** Files of a diff that are kept in memory for the next question about it: about 10 MB. */
const MOST_REMEMBERED = 20_000;

/** How a workspace is captured. Plain data, so that it can be sent to another thread. */
export interface CaptureSettings {
  readonly root: BytePath;
  /** The directory of the store. */
  readonly store: string;
  readonly limits: ScanLimits;
  readonly caches: readonly string[];
  /** Whether to watch directories, for captures by hints. */
  readonly watch: boolean;
}

export type CaptureTask =
  | { readonly kind: "ready" }
  | { readonly kind: "capture"; readonly hints: boolean; readonly beside: Beside }
  | { readonly kind: "tree-id"; readonly capture: CaptureId }
  | { readonly kind: "diff"; readonly from: CaptureId; readonly to: CaptureId; readonly query: DiffQuery }
  | { readonly kind: "collect"; readonly keep: readonly CaptureId[]; readonly dryRun: boolean };

export interface CaptureProgress {
  readonly files: number;
  readonly bytes: number;
}

export type OnProgress = (progress: CaptureProgress) => void;

export interface TaskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Runs the tasks of one workspace, one at a time, on a thread of its own or on the caller's. */
export interface TaskRunner {
  run<T>(task: CaptureTask, options?: TaskOptions): Promise<T>;
  close(): Promise<void>;
}

export interface CapturerOptions extends CaptureSettings {
  readonly lookFrom: BytePath;
  readonly database: Database;
  readonly globalExcludes: string | undefined;
  /** Any value but 0 asks the running task to stop. */
  readonly cancel: Int32Array;
  readonly onProgress: (files: number, bytes: number) => void;
  /** Makes the helper threads; without it one thread does everything. Waiting for them blocks. */
  readonly help?: { readonly scan: () => ScanHelper; readonly watch: () => Watcher };
}

/**
 * Carries out every request about a workspace's captures. Synchronous: it runs on a thread of its own, or on the
 * caller's when the work is small.
 *
 * Hints are used only after two things happened in this order: every directory was watched, then a full scan began.
 * Before that, and again after any failure, captures scan everything.
 */
export class Capturer {
  readonly #options: CapturerOptions;
  readonly #database: Database;
  readonly #objects: ObjectStore;
  readonly #log: CaptureLog;
  readonly #engine: CaptureEngine;
  #helper: ScanHelper | undefined;
  #watcher: Watcher | undefined;
  #watching: "off" | "starting" | "watched" | "scanned" = "off";
  #lastDiff: { readonly from: CaptureId; readonly to: CaptureId; readonly files: readonly FileDiff[] } | undefined;

  constructor(options: CapturerOptions) {
    const { root, lookFrom, store, database, limits, caches, globalExcludes, cancel, onProgress, help } = options;
    this.#options = options;
    this.#database = database;
    this.#objects = new ObjectStore(database, join(store, "packs"));
    this.#log = new CaptureLog(database);
    const helper = () => {
      this.#helper ??= help?.scan();
      return this.#helper;
    };
    this.#engine = new CaptureEngine({
      root,
      lookFrom,
      database,
      objects: this.#objects,
      helper,
      limits,
      caches,
      globalExcludes,
      cancel,
      onProgress,
      beforeRead: (directories) => this.#watch(directories),
      onRemoved: (directory) => this.#watcher?.unwatch([directory]),
    });
  }

  perform(task: CaptureTask): unknown {
    switch (task.kind) {
      case "ready":
        return undefined;
      case "capture":
        return this.#capture(task.hints, task.beside);
      case "tree-id":
        return this.#treeId(task.capture);
      case "diff":
        return partOf(this.#diff(task.from, task.to), task.query);
      case "collect":
        this.#lastDiff = undefined;
        return collectGarbage(this.#database, this.#objects, task.keep, task);
    }
  }

  /** Does a part of the work that can wait for an idle moment; returns whether there is more. */
  tidy(): boolean {
    try {
      return this.#engine.tidy();
    } catch {
      // On a full disk or a busy database the data stays where it was, and is read from there.
      return false;
    }
  }

  /** Starts watching the workspace as soon as the watching thread runs. Nothing waits for it. */
  startWatching(): void {
    const { help, watch } = this.#options;
    if (!help || !watch || this.#watcher) return;
    const directories = [...this.#engine.directories()];
    if (directories.length === 0) return;
    this.#watcher = help.watch();
    this.#watcher.begin(directories);
    this.#watching = "starting";
  }

  close(): void {
    while (this.tidy());
    this.#helper?.close();
    this.#watcher?.close();
    this.#objects.close();
  }

  #capture(useHints: boolean, beside: Beside): Captured {
    if (this.#watching === "starting" && this.#watcher?.began) this.#watching = "watched";
    // A full scan also consumes the hints, before it begins: later ones belong to the next capture.
    const hints = this.#watching === "starting" ? undefined : this.#watcher?.hints();
    const usable = useHints && this.#watching === "scanned" ? hints : undefined;
    // Set back until this capture succeeds: if it fails, its hints are lost.
    if (this.#watching === "scanned") this.#watching = "watched";
    const openings = this.#engine.openings;
    const captured = this.#engine.capture(usable, beside);
    if (this.#engine.openings === openings) {
      if (this.#watching === "watched") this.#watching = "scanned";
    } else {
      // A listing from the stat cache holds directories that never appeared as new.
      this.#watch([...this.#engine.directories()]);
    }
    return captured;
  }

  /** A thread that is still starting receives these last and has not begun until then. */
  #watch(directories: readonly BytePath[]): void {
    if (this.#watching === "starting") this.#watcher?.begin(directories);
    else this.#watcher?.watch(directories);
  }

  /** A review asks for a list, and then for one of its files after the other. */
  #diff(from: CaptureId, to: CaptureId): readonly FileDiff[] {
    const last = this.#lastDiff;
    if (last?.from === from && last.to === to) return last.files;
    const files = diffCaptures(this.#database, from, to);
    this.#lastDiff = files.length <= MOST_REMEMBERED ? { from, to, files } : undefined;
    return files;
  }

  /** Computed on the first request: most captures never need it. */
  #treeId(capture: CaptureId): Hash {
    const known = this.#log.get(capture).tree;
    if (known !== undefined) return known;
    const computed = treeId(readCapture(this.#database, capture));
    this.#log.setTree(capture, computed);
    return computed;
  }
}
