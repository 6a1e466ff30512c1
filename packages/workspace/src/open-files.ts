import { join } from "node:path";
import type { Beside, Captured } from "./capture/capture-engine.ts";
import { CaptureHere } from "./capture/capture-here.ts";
import { CaptureLog } from "./capture/capture-log.ts";
import { readCapture } from "./capture/capture-tree.ts";
import type { CaptureSettings, CaptureTask, TaskOptions, TaskRunner } from "./capture/capturer.ts";
import { changesBetween } from "./capture/changes-between.ts";
import type { Collected } from "./capture/collect-garbage.ts";
import { type DescribedCapture, describeCapture } from "./capture/describe-capture.ts";
import { type DiffPart, type DiffQuery, type FileDiff, partOf } from "./capture/diff-captures.ts";
import { connect } from "./database/connect.ts";
import type { Database } from "./database/database.ts";
import { fileSchema } from "./file-schema.ts";
import { CaptureError } from "./model/capture-error.ts";
import { homeDirectory } from "./model/home-directory.ts";
import type { BytePath, CaptureId, Change, FileTree, Hash } from "./model/model.ts";
import { bytePath } from "./model/path-bytes.ts";
import { leadsInto, realBytePath, resolveRoot } from "./model/resolve-root.ts";
import { BorrowingObjects } from "./objects/borrowing-objects.ts";
import { ObjectStore } from "./objects/object-store.ts";
import type { RestoreContext } from "./restore/restore-context.ts";
import { stagesOf } from "./restore/stage.ts";
import type { WorkspaceLock } from "./restore/workspace-lock.ts";
import { defaultLimits, type ScanLimits } from "./scan/entry-looks.ts";
import { DEFAULT_CACHES } from "./scan/ignore-rules.ts";

export interface FilesOptions {
  /** The directory the agent works in. */
  readonly root: string;
  /** The directory of the store, outside the workspace. */
  readonly store: string;
  /** The store's open database, if any: the workspace then takes part in its transactions. It stays open. */
  readonly database?: Database;
  /** gitignore lines for directories that are never scanned. */
  readonly caches?: readonly string[];
  readonly limits?: Partial<ScanLimits>;
  /** Whether to watch directories, for captures by hints. */
  readonly watch?: boolean;
  /** Whether a separate thread captures from the start; otherwise it does so only when there are many files. */
  readonly thread?: boolean;
  /** The objects of other stores with captures of the directory, for a restore that needs one of theirs. */
  readonly lenders?: () => readonly ObjectStore[];
  /** Allows `/`, a home directory or a parent of the store as the root. */
  readonly anyRoot?: boolean;
}

export type CaptureOptions = { readonly hints?: boolean } & Beside & TaskOptions;

/** Up to this many files, scanning takes less time than starting a thread. */
const MOST_FILES_HERE = 20_000;

/** Opens a directory for capturing and restoring. Its data is in the store. */
export function openFiles(options: FilesOptions): WorkspaceFiles {
  const database = options.database ?? connect(join(options.store, "retake.db"), fileSchema);
  try {
    const root = resolveRoot(options.root);
    if (!options.anyRoot) refuseRoot(root, options.store);
    return new WorkspaceFiles(bytePath(root), database, options);
  } catch (error) {
    if (!options.database) database.close();
    throw error;
  }
}

export class WorkspaceFiles {
  readonly root: BytePath;
  /** This thread's connection and objects: their writes can share one transaction. */
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly #options: FilesOptions;
  readonly #settings: CaptureSettings;
  #runner: Promise<TaskRunner> | undefined;
  #onThread = false;

  constructor(root: BytePath, database: Database, options: FilesOptions) {
    this.root = root;
    this.database = database;
    this.#options = options;
    this.objects = new ObjectStore(database, join(options.store, "packs"));
    this.#settings = {
      root,
      store: options.store,
      limits: { ...defaultLimits, ...options.limits },
      caches: options.caches ?? DEFAULT_CACHES,
      watch: options.watch ?? true,
    };
  }

  /** Announces a capture: everything it would wait for begins now. */
  prepare(): void {
    // The capture itself reports the failure.
    this.#started().catch(() => undefined);
  }

  /** From now on a separate thread captures. For callers that capture often or must not be blocked. */
  useThread(): void {
    if (this.#onThread) return;
    this.#runner = this.#startThread(this.#runner);
    this.prepare();
  }

  /** Resolves once the capturing thread runs. Captures wait for it by themselves. */
  async ready(): Promise<void> {
    this.useThread();
    await this.#run({ kind: "ready" });
  }

  /**
   * Captures the current files. With `hints`, looks only where the watcher saw changes, if the watcher is reliable;
   * captures at the start and end of a turn use no hints.
   */
  capture({ hints = false, named, since, ...options }: CaptureOptions = {}): Promise<Captured> {
    const beside = { ...(named ? { named } : {}), ...(since === undefined ? {} : { since }) };
    return this.#run({ kind: "capture", hints, beside }, options);
  }

  /** The time of a capture, the capture that it follows, and its coverage. */
  describe(capture: CaptureId): DescribedCapture {
    return describeCapture(this.database, capture);
  }

  /** The files of a capture. */
  files(capture: CaptureId): FileTree {
    return readCapture(this.database, capture);
  }

  /** The differences between two captures; see `Change` for sides that are not known. */
  changes(from: CaptureId, to: CaptureId): readonly Change[] {
    return changesBetween(this.database, from, to);
  }

  /** The same for people, with renames. */
  async diff(from: CaptureId, to: CaptureId): Promise<readonly FileDiff[]> {
    return (await this.diffPart(from, to, {}))?.files ?? [];
  }

  /** A part of it, so that long lists stay on the capturing thread. Undefined when no file is called as `after` says. */
  async diffPart(from: CaptureId, to: CaptureId, query: DiffQuery): Promise<DiffPart | undefined> {
    return from === to ? partOf([], query) : this.#run({ kind: "diff", from, to, query });
  }

  /** The id git would give the captured files. */
  treeId(capture: CaptureId): Promise<Hash> {
    return this.#run({ kind: "tree-id", capture });
  }

  /** Deletes every capture except these and the last of each workspace, and all content that only they needed. */
  collectGarbage(keep: readonly CaptureId[], { dryRun = false } = {}): Promise<Collected> {
    return this.#run({ kind: "collect", keep, dryRun });
  }

  /** The context for changing the workspace's files; the caller must hold its lock. */
  restoreContext(lock: WorkspaceLock): RestoreContext {
    const { root, database } = this;
    const { store, lenders } = this.#options;
    const objects = lenders ? new BorrowingObjects(this.objects, lenders) : this.objects;
    return { root, database, objects, lock, ...stagesOf(store) };
  }

  async close(): Promise<void> {
    await (await this.#runner)?.close();
    this.objects.close();
    if (!this.#options.database) this.database.close();
  }

  async #run<T>(task: CaptureTask, options?: TaskOptions): Promise<T> {
    return (await this.#started()).run(task, options);
  }

  /** Started on first use: many commands only read the store. */
  #started(): Promise<TaskRunner> {
    this.#runner ??=
      this.#options.thread || !this.#isSmall()
        ? this.#startThread(undefined)
        : Promise.resolve(new CaptureHere(this.database, this.#settings));
    return this.#runner;
  }

  async #startThread(before: Promise<TaskRunner> | undefined): Promise<TaskRunner> {
    this.#onThread = true;
    await (await before)?.close();
    const { CaptureThread } = await import("./capture/capture-thread.ts");
    return new CaptureThread(this.#settings);
  }

  /** A workspace without a capture may be of any size. */
  #isSmall(): boolean {
    const last = new CaptureLog(this.database).lastOf(Buffer.from(this.root, "latin1"));
    return last !== undefined && last.files <= MOST_FILES_HERE;
  }
}

/** By real paths: the root of a directory whose path is not UTF-8 is an alias of it. */
function refuseRoot(root: string, store: string): void {
  const real = realBytePath(root);
  const why = real === "/" ? "it is the whole system" : isHome(real) ? "it is a home directory" : undefined;
  const reason = why ?? (leadsInto(root, store) ? "Retake's own store is in it" : undefined);
  if (!reason) return;
  throw new CaptureError(
    "refused-root",
    `'${root}' is not taken as a workspace: ${reason}. Nothing was changed. Start in a project's directory.`,
  );
}

function isHome(real: BytePath): boolean {
  if (/^\/(home|Users)\/[^/]+$|^\/(root|home|Users)$/.test(real)) return true;
  const home = homeDirectory();
  try {
    return home !== undefined && real === realBytePath(home);
  } catch {
    return false;
  }
}
