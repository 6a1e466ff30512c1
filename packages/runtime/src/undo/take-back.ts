/**
 * Carries out a decision of core: records and files, in one commit.
 *
 *   lock ─▶ finish what was interrupted ─▶ capture ─▶ decide (core), on the thread with what the user did meanwhile
 *        ─▶ plan files against the disk, stage ─▶ COMMIT user's edits, operation and files' plan ─▶ files follow
 *
 * A dry run goes the same way, and its commit is rolled back: it foretells exactly what would be done or refused.
 */
import {
  type Actor,
  activeTake,
  apply,
  type Built,
  type Context,
  type FilesPlan,
  type History,
  type JumpPlan,
  type Nothing,
  noteFilesEdited,
  type Operation,
  type Plan,
  type Refusal,
  type State,
  type TakeId,
  tree,
  unresolved,
} from "@retake/core";
import {
  type BytePath,
  type CaptureId,
  deriveCapture,
  ignoredIn,
  type RestoreContext,
  type RestorePlan,
  type RestoreRequest,
  type WorkspaceFiles,
  type WorkspaceLock,
} from "@retake/workspace";
import type { DiskLog } from "../store/disk-log.ts";
import type { Identity } from "../store/identity.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { complete } from "./complete.ts";
import { type ConflictOptions, filesChoice } from "./conflict-options.ts";
import { type DecidedFiles, decideFiles } from "./decide-files.ts";
import { type Exchange, exchangeTrees, ledTo, rowsSince, wasLast } from "./exchange-trees.ts";
import { derivedTree, storeContents } from "./files-elsewhere.ts";
import { type AnyPlan, askedOf, type Foreseen, foreseeEntries, leavesTake, planId, STALE_PLAN } from "./foresee.ts";
import type { Busy, Hold } from "./hold-workspace.ts";
import { changesFilesOnly, NothingRestoredError } from "./only-files.ts";
import { otherWriters, userEdits } from "./other-writers.ts";
import { capturing, type Done, type ProgressOptions, preview, restoreWithCommit } from "./restore-with-commit.ts";
import { changeOf, RefusedError, ThreadFiles } from "./thread-files.ts";
import { requireNext, untilUnmoved, withOperation } from "./with-operation.ts";

export interface TakeBackRequest extends ProgressOptions, ConflictOptions {
  readonly thread: string;
  readonly actor: Actor;
  /** The decision of core, on the history after the workspace is locked and captured. */
  readonly decide: (history: History) => FilesPlan | JumpPlan | Nothing | Plan | Refusal;
  readonly paths?: RestoreRequest["paths"];
  readonly hunks?: RestoreRequest["hunks"];
  readonly dryRun?: boolean;
  /** Called inside the commit, to write more with the operation. */
  readonly also?: (operation: Operation) => void;
}

export type TakeBackResult =
  | (Done & { readonly plan: AnyPlan })
  | ({ readonly kind: "would-do" | "conflicts"; readonly plan: AnyPlan } & Shown)
  /** The files that differ from the plan were left as they are, so there was nothing to do. */
  | { readonly kind: "kept"; readonly plan: AnyPlan; readonly files: RestorePlan }
  | Busy
  | Nothing
  | Refusal;

export interface ChangeRequest extends ProgressOptions, ConflictOptions {
  readonly thread: string;
  readonly actor: Actor;
  readonly build: (history: History, context: Context) => Built;
  readonly dryRun?: boolean;
}

/** A plan that was not carried out, because it was only asked for or because of its conflicts. */
interface Shown {
  readonly files: RestorePlan | null;
  readonly foreseen: Foreseen;
  readonly dryRun: boolean;
  readonly detail: boolean;
  readonly putAway: ReadonlySet<BytePath>;
}

export type ChangedWithFiles = Done | ({ readonly kind: "would-do" | "conflicts" } & Shown) | Busy | Refusal;

export class TakeBack {
  readonly #store: ThreadStore;
  readonly #workspace: WorkspaceFiles;
  readonly #identity: Identity;
  readonly #hold: Hold;
  readonly #files: ThreadFiles;
  readonly #disk: DiskLog;

  constructor(store: ThreadStore, workspace: WorkspaceFiles, identity: Identity, hold: Hold, disk: DiskLog) {
    this.#store = store;
    this.#workspace = workspace;
    this.#identity = identity;
    this.#hold = hold;
    this.#files = new ThreadFiles(workspace, store, identity);
    this.#disk = disk;
  }

  async carryOut(request: TakeBackRequest): Promise<TakeBackResult> {
    this.#workspace.prepare();
    return this.#hold((lock) => this.carryOutHeld(request, lock), request);
  }

  /** The same for a caller that already holds the workspace. */
  carryOutHeld(request: TakeBackRequest, lock: WorkspaceLock): Promise<TakeBackResult> {
    return untilUnmoved(() => this.#carryOut(request, lock));
  }

  async #carryOut(request: TakeBackRequest, lock: WorkspaceLock): Promise<TakeBackResult> {
    const seen = await this.#look(request, lock);
    const decided = this.#store.read(request.thread, (history) =>
      decideFiles(withOperation(history, seen.note), request.decide, {
        files: this.#files,
        identity: this.#identity,
        objects: seen.context.objects,
        ...this.#exchange(request, seen),
      }),
    );
    if (!("plan" in decided)) return decided;
    const { plan } = decided;
    const { paths, hunks } = request;
    const wanted = {
      transitions: decided.disk,
      ...(paths ? { paths } : {}),
      ...(hunks ? { hunks } : {}),
      ...filesChoice(request, plan.kind === "plan" ? plan.conflicts : []),
      ...this.#otherwise(request, seen, decided),
    };
    const asked = [askedOf(plan), hunks && [...hunks]];
    const leaves = this.#store.read(request.thread, ({ state }) => leavesTake(plan, state));
    const putAway = leaves ? seen.edited(decided.exchange) : NONE;
    const show = (kind: "would-do" | "conflicts", files: RestorePlan | null, operation?: Operation) =>
      this.#isStale(request, seen, asked, files)
        ? STALE_PLAN
        : {
            kind,
            plan,
            files,
            dryRun: request.dryRun === true,
            detail: request.detail === true,
            putAway,
            foreseen: this.#foresee(request, seen, plan, asked, files, operation),
          };
    if (plan.kind === "plan" && unresolved(plan).length > 0) return show("conflicts", preview(seen.context, wanted));
    const done = await restoreWithCommit(seen.context, wanted, request, (files) => {
      if (this.#isStale(request, seen, asked, files)) throw new RefusedError(STALE_PLAN);
      if ((paths ?? hunks ?? changesFilesOnly(decided)) && !files?.changes.length)
        throw new NothingRestoredError(files);
      // A dry run is rolled back, and its contents would stay in the packs.
      if (!request.dryRun) for (const elsewhere of decided.elsewhere.values()) storeContents(seen.context, elsewhere);
      const found = this.#found(seen, files, wanted, decided.exchange);
      this.#commitNote(request.thread, seen.note);
      const operation = this.#commit(request, (history, context) =>
        complete(history, context, plan, this.#trees(history.state, decided, found, seen)),
      );
      if (decided.exchange && found !== undefined) this.#noteLeft(request.thread, operation, found);
      request.also?.(operation);
      return operation;
    }).catch((error) => {
      if (error instanceof NothingRestoredError && error.files?.kept.length)
        return { kind: "kept", files: error.files } as const;
      throw error;
    });
    switch (done.kind) {
      case "conflicts":
        return show("conflicts", done.files);
      case "would-do":
        return show("would-do", done.files, done.operation);
      case "done":
        return { ...done, plan, putAway };
      case "kept":
        return { ...done, plan };
    }
  }

  /**
   * Commits an operation that changes which files belong on disk: a branch, a switch, a deleted take. The user's
   * changes on disk belong to the take in which they were made, and go with it.
   */
  async change(request: ChangeRequest): Promise<ChangedWithFiles> {
    this.#workspace.prepare();
    return this.#hold<ChangedWithFiles>((lock) => untilUnmoved(() => this.#change(request, lock)), request);
  }

  async #change(request: ChangeRequest, lock: WorkspaceLock): Promise<ChangedWithFiles> {
    const seen = await this.#look(request, lock);
    const trees = this.#store.read(request.thread, (history) =>
      this.#treeAfter(withOperation(history, seen.note), request),
    );
    if ("code" in trees) return trees;
    const exchange = this.#exchange(request, seen).exchange(trees.after);
    const wanted = {
      transitions: exchange.transitions,
      ...filesChoice(request, []),
      ...this.#otherwise(request, seen, { exchange }),
    };
    const putAway = seen.edited(exchange);
    const show = (kind: "would-do" | "conflicts", files: RestorePlan | null) => {
      if (this.#isStale(request, seen, trees.asked, files)) return STALE_PLAN;
      const foreseen = { plan_id: planId(seen.head, trees.asked, files), entries: [], records: [] };
      return { kind, files, foreseen, dryRun: request.dryRun === true, detail: request.detail === true, putAway };
    };
    const done = await restoreWithCommit(seen.context, wanted, request, (files) => {
      if (this.#isStale(request, seen, trees.asked, files)) throw new RefusedError(STALE_PLAN);
      this.#commitNote(request.thread, seen.note);
      const operation = this.#commit(request, request.build);
      const found = this.#found(seen, files, wanted, exchange);
      if (found !== undefined) this.#noteLeft(request.thread, operation, found);
      return operation;
    });
    return done.kind === "done" ? { ...done, putAway } : show(done.kind, done.files);
  }

  #isStale(
    { planId: expected }: ConflictOptions,
    { head }: DiskView,
    asked: unknown,
    files: RestorePlan | null,
  ): boolean {
    return expected !== undefined && expected !== planId(head, asked, files);
  }

  #foresee(
    { thread, actor }: TakeBackRequest,
    { head, note }: DiskView,
    plan: AnyPlan,
    asked: unknown,
    files: RestorePlan | null,
    operation: Operation | undefined,
  ): Foreseen {
    return this.#store.read(thread, (history) => {
      const noted = withOperation(history, note);
      const build = (of: AnyPlan) => complete(noted, this.#identity.context(actor), of, new Map());
      return { plan_id: planId(head, asked, files), ...foreseeEntries(noted, plan, build, operation) };
    });
  }

  /** Hints are enough: the restore reads its own files from disk once more, and the next scan finds the rest. */
  async #look(request: ProgressOptions & { readonly thread: string }, lock: WorkspaceLock): Promise<DiskView> {
    const { captured, note } = await this.#files.look(request.thread, { hints: true, ...capturing(request) });
    const { head, known } = this.#store.read(request.thread, ({ state }) => ({
      head: state.head,
      known: tree(state, activeTake(state)),
    }));
    const edited = (exchange: Exchange | undefined) => {
      const found = note ? this.#files.changes(known, captured.id).map(({ path }) => path) : [];
      const alone = found.filter((path) => !exchange?.contested.has(path) && !exchange?.directories.has(path));
      return new Set([...alone, ...(exchange?.edited ?? [])]);
    };
    return { capture: captured.id, note, head, known, edited, context: this.#workspace.restoreContext(lock) };
  }

  /** The capture of the files on disk after a restore; undefined where they are exactly the planned ones. */
  #found(
    seen: DiskView,
    files: RestorePlan | null,
    wanted: RestoreRequest,
    exchange: Exchange | undefined,
  ): CaptureId | undefined {
    if (files) return this.#derived(seen, files, wanted);
    return exchange && exchange.contested.size > 0 ? seen.capture : undefined;
  }

  /** A restore's plan does not say of files on disk whether they are ignored. */
  #derived({ context, capture }: DiskView, { changes }: RestorePlan, { ignoredNow }: RestoreRequest): CaptureId {
    const marked = changes.map(({ path, before, after }) => {
      const ignored = before !== undefined && ignoredNow?.(path) === true;
      const [was, is] = [before, after].map((state) =>
        ignored && state !== undefined && state.kind !== "uncovered" ? { ...state, ignored: true as const } : state,
      );
      return changeOf(path, was, is);
    });
    return deriveCapture(context.database, capture, marked, context.root);
  }

  #exchange({ thread }: { thread: string }, { known, note, capture }: DiskView) {
    const present = note ? capture : known;
    const { database } = this.#workspace;
    const request = { database, log: this.#disk, root: this.#root, files: this.#files, thread, known, present };
    return {
      exchange: (wanted: string) => exchangeTrees(request, wanted),
      wasLast: (tree: string) => wasLast(request, tree),
      ledTo: (tree: string) => ledTo(request, tree),
      rowsSince: (tree: string) => rowsSince(request, tree).rows,
    };
  }

  /** Facts that a restore cannot see on disk: which thread owns a file, and which paths are ignored now. */
  #otherwise(
    request: { readonly thread: string },
    seen: DiskView,
    { plan, exchange }: Partial<DecidedFiles>,
  ): Pick<RestoreRequest, "ignoredNow" | "isOthers" | "isUsers" | "writtenByOther"> {
    const ignoredNow = ignoredIn(this.#workspace.database, seen.capture);
    if (!exchange) return { writtenByOther: otherWriters(this.#disk, this.#root, request.thread), ignoredNow };
    const writtenByOther = (path: BytePath) => exchange.contested.has(path);
    if (plan?.kind !== "restore") return { writtenByOther, ignoredNow };
    const others = new Set(exchange.leftAlone.map(({ path }) => path));
    const noted = seen.note ? this.#files.changes(seen.known, seen.capture) : [];
    const changed = this.#files.changes(plan.files.before, seen.capture);
    const edited = userEdits(this.#exchange(request, seen).rowsSince(plan.files.before), noted, changed);
    return { writtenByOther, ignoredNow, isOthers: (path) => others.has(path), isUsers: (path) => edited.has(path) };
  }

  get #root(): string {
    return Buffer.from(this.#workspace.root, "latin1").toString("utf8");
  }

  /**
   * The resulting tree of each take. Where the take has these files already, their tree keeps its name: another one would count
   * as a change that can be undone (R3).
   */
  #trees(
    state: State,
    { plan, elsewhere }: DecidedFiles,
    found: CaptureId | undefined,
    { context }: DiskView,
  ): ReadonlyMap<TakeId, string> {
    const trees = new Map<TakeId, string>();
    for (const [take, files] of elsewhere) trees.set(take, derivedTree(context, files));
    const take = plan.kind === "plan" ? plan.active.after : plan.take;
    if (plan.kind === "jump") {
      const before = state.spaces.has(take) ? tree(state, take) : undefined;
      const after = trees.get(take) ?? found ?? plan.files.after;
      return trees.set(take, before !== undefined && this.#files.same(before, after) ? before : after);
    }
    return found === undefined || trees.has(take) ? trees : trees.set(take, found);
  }

  #treeAfter(history: History, request: ChangeRequest): TreeAfter | Refusal {
    const built = request.build(history, this.#identity.context(request.actor));
    if (built.kind === "refused") return built;
    const next = apply(history.state, built.operation, (id) => history.stateAt(id));
    const { kind, description } = built.operation;
    return { after: tree(next, activeTake(next)), asked: [kind, description] };
  }

  #commit(request: { thread: string; actor: Actor }, build: ChangeRequest["build"]): Operation {
    const done = this.#store.change(request.thread, (history) => build(history, this.#identity.context(request.actor)));
    if ("code" in done) throw new RefusedError(done);
    return done;
  }

  #commitNote(thread: string, note: Operation | undefined): void {
    if (note)
      this.#store.change(thread, (history) => {
        requireNext(history, note);
        return { kind: "operation", operation: note };
      });
    this.#files.forgetElsewhere(thread);
  }

  /** Files that stayed on disk, because of other threads or a conflict, now belong to the active take. */
  #noteLeft(thread: string, operation: Operation, capture: CaptureId): void {
    const known = this.#store.read(thread, ({ state }) => tree(state, activeTake(state)));
    if (this.#files.same(known, capture)) return;
    const context = this.#identity.context({ kind: "editor" });
    const note = this.#store.change(thread, ({ state }) => noteFilesEdited(state, context, { tree: capture }));
    if (!("code" in note)) this.#disk.merge(operation, note);
  }
}

/** The files on disk, and the user's changes to them that the thread does not know yet. */
interface DiskView {
  readonly context: RestoreContext;
  readonly capture: CaptureId;
  readonly note: Operation | undefined;
  /** The thread's head and its tree, without the note. */
  readonly head: string | null;
  readonly known: string;
  /** The paths of the user's edits that go with the take. */
  edited(exchange: Exchange | undefined): ReadonlySet<BytePath>;
}

/** The tree after a change, and the request, for the id of its plan. */
interface TreeAfter {
  readonly after: string;
  readonly asked: unknown;
}

const NONE: ReadonlySet<BytePath> = new Set();
