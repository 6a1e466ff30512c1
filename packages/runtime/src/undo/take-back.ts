/**
 * Carries out what the core decided: records and files, in one commit.
 *
 *   lock ─▶ finish what was interrupted ─▶ capture ─▶ decide (core), on the thread with what the user did meanwhile
 *        ─▶ plan files against the disk, stage ─▶ COMMIT user's edits, operation and files' plan ─▶ files follow
 *
 * A dry run and a refusal end before the commit and have changed nothing.
 */
import {
  type Actor,
  activeTake,
  apply,
  type Built,
  type ConflictPolicy,
  type Context,
  completeJump,
  completePlan,
  completeRestore,
  type FilesPlan,
  type History,
  type JumpPlan,
  type Nothing,
  noteFilesEdited,
  type Operation,
  type Plan,
  type Refusal,
  refuse,
  spaceId,
  type TakeId,
  tree,
} from "@retake/core";
import {
  type CaptureId,
  deriveCapture,
  ignoredIn,
  type RestoreContext,
  type RestorePlan,
  type RestoreRequest,
  type Transition,
  type WorkspaceFiles,
  type WorkspaceLock,
} from "@retake/workspace";
import type { DiskLog } from "../store/disk-log.ts";
import type { Identity } from "../store/identity.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { type FilesElsewhere, keepElsewhere, takeBackElsewhere } from "./files-elsewhere.ts";
import type { Busy, Hold } from "./hold-workspace.ts";
import { otherWriters, userEdits } from "./other-writers.ts";
import { capturing, type Done, preview, restoreWithCommit, type Watched } from "./restore-with-commit.ts";
import { RefusedError, ThreadFiles } from "./thread-files.ts";
import { withOperation } from "./with-operation.ts";

export interface TakeBackRequest extends Watched {
  readonly thread: string;
  readonly actor: Actor;
  /** What the core decides, on the history as it is once the workspace is locked and captured. */
  readonly decide: (history: History) => FilesPlan | JumpPlan | Nothing | Plan | Refusal;
  readonly onConflict?: ConflictPolicy;
  readonly paths?: RestoreRequest["paths"];
  readonly hunks?: RestoreRequest["hunks"];
  readonly dryRun?: boolean;
  /** What is committed together with it, when it is. */
  readonly also?: (operation: Operation) => void;
}

type AnyPlan = FilesPlan | JumpPlan | Plan;

export type TakenBack =
  | (Done & { readonly plan: AnyPlan })
  | { readonly kind: "would-do"; readonly plan: AnyPlan; readonly files: RestorePlan | null }
  | { readonly kind: "conflicts"; readonly plan: AnyPlan; readonly files: RestorePlan | null }
  /** What is not as it should be was left as it is, so that there was nothing to do. */
  | { readonly kind: "kept"; readonly plan: AnyPlan; readonly files: RestorePlan }
  | Busy
  | Nothing
  | Refusal;

export interface ChangeRequest extends Watched {
  readonly thread: string;
  readonly actor: Actor;
  readonly build: (history: History, context: Context) => Built;
  readonly onConflict?: ConflictPolicy;
  readonly dryRun?: boolean;
}

export type ChangedWithFiles =
  | Done
  | { readonly kind: "would-do"; readonly files: RestorePlan | null }
  | { readonly kind: "conflicts"; readonly files: RestorePlan }
  | Busy
  | Refusal;

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

  async carryOut(request: TakeBackRequest): Promise<TakenBack> {
    this.#workspace.prepare();
    return this.#hold((lock) => this.carryOutHeld(request, lock), request.signal);
  }

  /** The same for who holds the workspace already. */
  async carryOutHeld(request: TakeBackRequest, lock: WorkspaceLock): Promise<TakenBack> {
    const seen = await this.#look(request, lock);
    const decided = this.#store.read(request.thread, (history) =>
      this.#decide(withOperation(history, seen.note), request, seen),
    );
    if (!("plan" in decided)) return decided;
    const { plan } = decided;
    const { onConflict = "abort", paths, hunks } = request;
    const wanted = {
      ...{ onConflict, transitions: decided.disk, ...(paths ? { paths } : {}), ...(hunks ? { hunks } : {}) },
      ...this.#otherwise(request, seen, plan),
    };
    const blocked = plan.kind === "plan" && plan.policy === "abort" && plan.conflicts.length > 0;
    if (request.dryRun || blocked) {
      const files = preview(seen.context, wanted);
      if (blocked || files?.outcome === "refused") return { kind: "conflicts", plan, files };
      return { kind: "would-do", plan, files };
    }
    const done = await restoreWithCommit(seen.context, wanted, request, (files) => {
      if (plan.kind === "restore" && (files?.changes.length ?? 0) === 0) throw new NothingRestoredError(files);
      const found = files ? this.#derived(seen, files) : undefined;
      this.#commitNote(request.thread, seen.note);
      const operation = this.#commit(request, (history, context) =>
        complete(history, context, plan, this.#trees(decided, found, seen)),
      );
      request.also?.(operation);
      return operation;
    }).catch((error) => {
      if (error instanceof NothingRestoredError && error.files?.kept.length)
        return { kind: "kept", files: error.files } as const;
      throw error;
    });
    return { ...done, plan };
  }

  /**
   * Commits an operation after which the files on disk should be others: a branch, a switch, a deleted
   * take. What the user changed on disk belongs to the take it was changed in, and goes with it.
   */
  async change(request: ChangeRequest): Promise<ChangedWithFiles> {
    this.#workspace.prepare();
    return this.#hold<ChangedWithFiles>(async (lock) => {
      const seen = await this.#look(request, lock);
      const trees = this.#store.read(request.thread, (history) =>
        this.#treesAround(withOperation(history, seen.note), request),
      );
      if ("code" in trees) return trees;
      const wanted = {
        transitions: this.#between(trees.after, trees.before),
        onConflict: request.onConflict ?? "abort",
        ...this.#otherwise(request, seen),
      };
      if (request.dryRun) return { kind: "would-do", files: preview(seen.context, wanted) };
      return restoreWithCommit(seen.context, wanted, request, (files) => {
        this.#commitNote(request.thread, seen.note);
        const operation = this.#commit(request, request.build);
        if (files) this.#noteLeft(request.thread, operation, this.#derived(seen, files));
        return operation;
      });
    }, request.signal);
  }

  /** Hints are enough: the files that go back are looked at once more on disk, and the next scan finds the rest. */
  async #look(request: Watched & { readonly thread: string }, lock: WorkspaceLock): Promise<Seen> {
    const { captured, note } = await this.#files.look(request.thread, { hints: true, ...capturing(request) });
    return { capture: captured.id, note, context: this.#workspace.restoreContext(lock) };
  }

  /** The files as they are on disk once a restore is done. */
  #derived({ context, capture }: Seen, { changes }: RestorePlan): CaptureId {
    return deriveCapture(context.database, capture, changes, context.root);
  }

  /** What a restore cannot tell from the disk: whose a file is, and what is ignored by now. */
  #otherwise(
    { thread }: { thread: string },
    { capture, note }: Seen,
    plan?: AnyPlan,
  ): Pick<RestoreRequest, "ignoredNow" | "isOthers" | "isUsers" | "writtenByOther"> {
    const { database } = this.#workspace;
    const root = Buffer.from(this.#workspace.root, "latin1").toString("utf8");
    const byOther = otherWriters(this.#disk, root, thread);
    const ignoredNow = ignoredIn(database, capture);
    // What takes whole trees leaves alone what is another thread's; what takes changes back merges with it (F34).
    const whole = plan?.kind !== "plan" || plan.active.before !== plan.active.after;
    const own = whole ? { isOthers: byOther } : { writtenByOther: byOther };
    if (plan?.kind !== "restore") return { ...own, ignoredNow };
    const since = this.#store.since(thread, plan.snapshot.replace(/^S-/, ""));
    const known = this.#store.read(thread, ({ state }) => tree(state, plan.take));
    const noted = note ? this.#files.changes(known, capture) : [];
    return { ...own, ignoredNow, isUsers: userEdits(this.#disk, root, noted, since) };
  }

  #decide(history: History, request: TakeBackRequest, { context }: Seen): Decided | Nothing | Refusal {
    const plan = request.decide(history);
    if (plan.kind === "restore") return { plan, disk: this.#transitions(plan.files), elsewhere: new Map() };
    if (plan.kind === "jump") {
      return { plan, disk: this.#between(plan.files.after, plan.files.before), elsewhere: new Map() };
    }
    if (plan.kind !== "plan") return plan;
    const { before: left, after: arriving } = plan.active;
    const elsewhere = new Map<TakeId, FilesElsewhere>();
    for (const [take, transitions] of plan.files) {
      if (take === arriving) continue;
      const now = tree(history.state, take);
      elsewhere.set(take, takeBackElsewhere(transitions, now, this.#files, context.objects));
    }
    const unclean = [...elsewhere].filter(([, { merged }]) => !merged.clean).map(([take]) => fileConflict(take));
    const own = this.#transitions(plan.files.get(arriving) ?? []);
    const planned = { ...plan, conflicts: [...plan.conflicts, ...unclean] };
    if (left === arriving) return { plan: planned, disk: own, elsewhere };
    const there = this.#treeOf(history, plan, arriving);
    if (typeof there !== "string") return there;
    return { plan: planned, disk: [...this.#between(there, tree(history.state, left)), ...own], elsewhere };
  }

  /** The files of a take that a plan makes active, before what is taken back of them. */
  #treeOf(history: History, plan: Plan, take: TakeId): string | Refusal {
    if (history.state.spaces.has(take)) return tree(history.state, take);
    const context = this.#identity.context({ kind: "system" });
    const built = completePlan(history, context, { ...plan, policy: "overwrite" });
    if (built.kind === "refused") return built;
    return tree(
      apply(history.state, built.operation, (id) => history.stateAt(id)),
      take,
    );
  }

  /** What the files of each take come to. */
  #trees({ plan, elsewhere }: Decided, found: CaptureId | undefined, { context }: Seen): ReadonlyMap<TakeId, string> {
    const trees = new Map<TakeId, string>();
    for (const [take, files] of elsewhere) trees.set(take, keepElsewhere(context, files));
    if (found === undefined) return trees;
    return trees.set(plan.kind === "plan" ? plan.active.after : plan.take, found);
  }

  #treesAround(history: History, request: ChangeRequest): { before: string; after: string } | Refusal {
    const built = request.build(history, this.#identity.context(request.actor));
    if (built.kind === "refused") return built;
    const next = apply(history.state, built.operation, (id) => history.stateAt(id));
    return { before: tree(history.state, activeTake(history.state)), after: tree(next, activeTake(next)) };
  }

  #transitions(list: Iterable<{ readonly before: string; readonly after: string }>): Transition[] {
    return [...list].map(({ before, after }) => this.#files.transition(before, after));
  }

  #between(before: string, after: string): Transition[] {
    return this.#files.same(before, after) ? [] : [this.#files.transition(before, after)];
  }

  #commit(request: { thread: string; actor: Actor }, build: ChangeRequest["build"]): Operation {
    const done = this.#store.change(request.thread, (history) => build(history, this.#identity.context(request.actor)));
    if ("code" in done) throw new RefusedError(done);
    return done;
  }

  #commitNote(thread: string, note: Operation | undefined): void {
    if (note) this.#store.change(thread, () => ({ kind: "operation", operation: note }));
  }

  /** What stayed on disk, of other threads or because of a conflict, is in the files of the take that is there now. */
  #noteLeft(thread: string, operation: Operation, capture: CaptureId): void {
    const known = this.#store.read(thread, ({ state }) => tree(state, activeTake(state)));
    if (this.#files.same(known, capture)) return;
    const context = this.#identity.context({ kind: "editor" });
    const note = this.#store.change(thread, ({ state }) => noteFilesEdited(state, context, { tree: capture }));
    if (!("code" in note)) this.#disk.merge(operation, note);
  }
}

/** The files on disk, and what the user did to them that the thread does not know of yet. */
interface Seen {
  readonly context: RestoreContext;
  readonly capture: CaptureId;
  readonly note: Operation | undefined;
}

interface Decided {
  readonly plan: AnyPlan;
  /** What the disk is taken back through, newest first. */
  readonly disk: readonly Transition[];
  readonly elsewhere: ReadonlyMap<TakeId, FilesElsewhere>;
}

function fileConflict(take: TakeId): Plan["conflicts"][number] {
  const record = spaceId(take, "workspace");
  return { record, kind: "entry-edited", message: "Files of a take that is not on disk were changed since" };
}

/** Ends a restore that would change nothing, and rolls it back; `files` says what was to be different. */
class NothingRestoredError extends RefusedError {
  readonly files: RestorePlan | null;
  constructor(files: RestorePlan | null) {
    super(refuse("nothing-to-do", "Nothing to restore: the files are like that already."));
    this.files = files;
  }
}

function complete(history: History, context: Context, plan: AnyPlan, trees: ReadonlyMap<TakeId, string>): Built {
  const tree = trees.get(plan.take);
  const outcome = tree === undefined ? {} : { tree };
  switch (plan.kind) {
    case "jump":
      return completeJump(history, context, plan, outcome);
    case "restore":
      return completeRestore(history, context, plan, outcome);
    case "plan":
      // The files of takes elsewhere were merged as far as they can be: the rest stays.
      return completePlan(
        history,
        context,
        { ...plan, conflicts: plan.conflicts.filter(({ record }) => !isFiles(record)) },
        { trees },
      );
  }
}

function isFiles(record: string): boolean {
  return record.endsWith("/workspace");
}
