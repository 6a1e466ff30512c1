/**
 * Carries out what the core decided: records and files, in one commit.
 *
 *   lock ─▶ finish what was interrupted ─▶ capture, note outside edits ─▶ decide (core)
 *        ─▶ plan files against the disk, stage ─▶ COMMIT operation and files' plan ─▶ files follow
 *
 * A dry run ends after the second plan and has changed nothing but the note of what the user did.
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
  type FilesOutcome,
  type FilesPlan,
  type History,
  type JumpPlan,
  type Nothing,
  noteFilesEdited,
  type Operation,
  type Plan,
  type Refusal,
  refuse,
  tree,
} from "@retake/core";
import type { CaptureId } from "../store/capture-log.ts";
import type { Database } from "../store/open-database.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { deriveCapture } from "../workspace/capture/derive-capture.ts";
import { ignoredIn } from "../workspace/capture-tree.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import type { RestorePlan, RestoreRequest } from "../workspace/restore/plan-restore.ts";
import type { RestoreContext } from "../workspace/restore/restore-context.ts";
import type { Transition } from "../workspace/restore/transitions.ts";
import type { WorkspaceLock } from "../workspace/restore/workspace-lock.ts";
import { type FilesElsewhere, settleElsewhere, treeLeft, treesElsewhere } from "./files-elsewhere.ts";
import type { Busy, Hold } from "./hold-workspace.ts";
import type { Identity } from "./identity.ts";
import { leavesTake, transitionsWhenLeaving } from "./leave-take.ts";
import { otherWriters } from "./other-writers.ts";
import { capturing, type Done, preview, restoreWithCommit, type Watched } from "./restore-with-commit.ts";
import { RefusedError, ThreadFiles } from "./thread-files.ts";

export interface TakeBackRequest extends Watched {
  readonly thread: string;
  readonly actor: Actor;
  /**
   * What the core decides, on the history as it is once the workspace is locked and captured. A plan that leaves a take may
   * say that some remain: those are decided on the history that it leads to.
   */
  readonly decide: (history: History, remaining?: number) => FilesPlan | JumpPlan | Nothing | Plan | Refusal;
  readonly onConflict?: ConflictPolicy;
  readonly paths?: RestoreRequest["paths"];
  readonly hunks?: RestoreRequest["hunks"];
  readonly dryRun?: boolean;
  /** What is committed together with it, when it is. */
  readonly also?: (operation: Operation) => void;
}

type AnyPlan = FilesPlan | JumpPlan | Plan;

export type TakenBack =
  | (Done & { readonly plan: AnyPlan; readonly earlier: readonly Earlier[] })
  | {
      readonly kind: "would-do";
      readonly plan: AnyPlan;
      readonly files: RestorePlan | null;
      readonly earlier: readonly Earlier[];
    }
  | { readonly kind: "conflicts"; readonly plan: AnyPlan; readonly files: RestorePlan | null }
  /** What is not as it should be was left as it is, so that there was nothing to do. */
  | { readonly kind: "kept"; readonly plan: AnyPlan; readonly files: RestorePlan }
  | Busy
  | Nothing
  | Refusal;

/** What was, or would be, taken back before, in other takes, and was committed with it. */
export interface Earlier {
  readonly plan: AnyPlan;
  readonly operation?: Operation;
}

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
  readonly #workspace: Workspace;
  readonly #identity: Identity;
  readonly #hold: Hold;
  readonly #files: ThreadFiles;
  readonly #otherStores: () => readonly Database[];

  /** `otherStores`: those whose threads work on the same files. */
  constructor(
    store: ThreadStore,
    workspace: Workspace,
    identity: Identity,
    hold: Hold,
    otherStores: () => readonly Database[] = () => [],
  ) {
    this.#otherStores = otherStores;
    this.#store = store;
    this.#workspace = workspace;
    this.#identity = identity;
    this.#hold = hold;
    this.#files = new ThreadFiles(workspace, store, identity);
  }

  async carryOut(request: TakeBackRequest): Promise<TakenBack> {
    this.#workspace.prepare();
    return this.#hold((lock) => this.carryOutHeld(request, lock), request.signal);
  }

  /** The same for who holds the workspace already. */
  async carryOutHeld(request: TakeBackRequest, lock: WorkspaceLock): Promise<TakenBack> {
    // Hints are enough: the files that go back are looked at once more on disk, and what hints miss
    // elsewhere is left as it is and noted by the next scan.
    const { id: capture } = await this.#files.noteEdits(request.thread, { hints: true, ...capturing(request) });
    const context = this.#workspace.restoreContext(lock);
    const { onConflict = "abort", paths, hunks } = request;
    const some = { ...(paths ? { paths } : {}), ...(hunks ? { hunks } : {}) };
    const how = { onConflict, ...some, ...this.#otherwise(request, capture) };
    const at = { context, capture, how };
    const steps = this.#steps(request, at);
    if (!("last" in steps)) return steps;
    const { earlier, last } = steps;
    const blocked = isBlocked(last.plan);
    const wanted = { ...how, transitions: transitionsOf([...earlier, last]) };
    if (request.dryRun || blocked) {
      const files = preview(context, wanted);
      const { plan } = last;
      if (blocked || files?.outcome === "refused") return { kind: "conflicts", plan, files };
      return { kind: "would-do", plan, files, earlier: earlier.map((each) => ({ plan: each.plan })) };
    }
    const before: (Earlier & { operation: Operation })[] = [];
    let step = earlier[0] ?? last;
    const done = await restoreWithCommit(context, wanted, request, (files) => {
      if (step.plan.kind === "restore" && (files?.changes.length ?? 0) === 0) throw new NothingRestoredError(files);
      for (const { files: until } of earlier) {
        before.push({ plan: step.plan, operation: this.#commitEarlier(request, at, step, until) });
        step = this.#next(request, step);
      }
      const operation = this.#commitStep(request, at, step, files);
      request.also?.(operation);
      return operation;
    }).catch((error) => {
      if (error instanceof NothingRestoredError && error.files?.kept.length)
        return { kind: "kept", files: error.files } as const;
      throw error;
    });
    const { plan } = step;
    return done.kind === "done" ? { ...done, plan, earlier: before } : { ...done, plan };
  }

  /**
   * What is to be done, take by take. Behind a branch or a switch the history is another take's, and what remains is
   * decided there: that is rehearsed, so that all of it can be planned, refused and committed as one.
   */
  #steps(request: TakeBackRequest, at: Place): { earlier: readonly Rehearsed[]; last: Decided } | Nothing | Refusal {
    const first = this.#decideNow(request);
    if (!("plan" in first)) return first;
    if (remainingOf(first) === 0) return { earlier: [], last: first };
    const { context, how } = at;
    return context.database.rehearse(() => {
      const earlier: Rehearsed[] = [];
      for (let last = first; ; ) {
        const files = preview(context, { ...how, transitions: transitionsOf([...earlier, last]) });
        if (remainingOf(last) === 0 || isBlocked(last.plan) || files?.outcome === "refused") return { earlier, last };
        this.#commitEarlier(request, at, last, files);
        const next = this.#decideNow(request, remainingOf(last));
        if (next.kind === "nothing") return { earlier, last };
        if (!("plan" in next)) return next;
        earlier.push({ ...last, files });
        last = next;
      }
    });
  }

  /** What was rehearsed, on the history as it is now. */
  #next(request: TakeBackRequest, step: Decided): Decided {
    const next = this.#decideNow(request, remainingOf(step));
    if ("plan" in next) return next;
    throw new Error("what was rehearsed cannot be done: the thread is another");
  }

  /** The files that it would lead to are on no disk, but the next step is decided on them, and history names them. */
  #commitEarlier(request: TakeBackRequest, at: Place, step: Decided, files: RestorePlan | null): Operation {
    const { objects } = at.context;
    for (const { content, predecessor } of files?.newContents.values() ?? []) objects.write(content, predecessor);
    objects.flush();
    return this.#commitStep(request, at, step, files);
  }

  #commitStep(
    request: TakeBackRequest,
    { context, capture }: Place,
    { plan, elsewhere }: Decided,
    files: RestorePlan | null,
  ): Operation {
    const found = files ? deriveCapture(context.database, capture, files.changes, context.root) : capture;
    const operation = this.#commit(request, (history, now) => {
      const here = leavesTake(plan) ? treeLeft(context, this.#files, history, plan) : files ? { tree: found } : {};
      return complete(history, now, plan, { ...here, elsewhere: treesElsewhere(context, elsewhere) });
    });
    if (leavesTake(plan)) this.#noteLeft(request.thread, found);
    return operation;
  }

  /**
   * Commits an operation after which the files on disk should be others: a branch, a switch, a deleted
   * take. What the user changed on disk is kept, and recorded in the take it is now in.
   */
  async change(request: ChangeRequest): Promise<ChangedWithFiles> {
    return this.#locked<ChangedWithFiles>(request, async (context, capture) => {
      const trees = this.#store.read(request.thread, (history) => this.#treesAround(history, request));
      if ("code" in trees) return trees;
      const wanted = {
        transitions: this.#between(trees.after, trees.before),
        onConflict: request.onConflict ?? "abort",
        ...this.#otherwise(request, capture),
      };
      if (request.dryRun) return { kind: "would-do", files: preview(context, wanted) };
      return restoreWithCommit(context, wanted, request, (files) => {
        const operation = this.#commit(request, request.build);
        if (files)
          this.#noteLeft(request.thread, deriveCapture(context.database, capture, files.changes, context.root));
        return operation;
      });
    });
  }

  /** What a restore cannot tell from the disk: whose a file is, and what is ignored by now. */
  #otherwise(
    { thread }: { thread: string },
    capture: CaptureId,
  ): Pick<RestoreRequest, "writtenByOther" | "ignoredNow"> {
    const { database, root } = this.#workspace;
    const databases = [database, ...this.#otherStores()];
    return {
      writtenByOther: otherWriters(databases, Buffer.from(root, "latin1").toString("utf8"), thread),
      ignoredNow: ignoredIn(database, capture),
    };
  }

  async #locked<T>(
    request: ChangeRequest,
    work: (context: RestoreContext, capture: CaptureId) => Promise<T>,
  ): Promise<T | Busy | Refusal> {
    this.#workspace.prepare();
    return this.#hold(async (lock) => {
      const { id } = await this.#files.noteEdits(request.thread, { hints: true, ...capturing(request) });
      return work(this.#workspace.restoreContext(lock), id);
    }, request.signal);
  }

  #decideNow(request: TakeBackRequest, remaining?: number): Decided | Nothing | Refusal {
    return this.#store.read(request.thread, (history) => this.#decide(history, request, remaining));
  }

  #decide(history: History, request: TakeBackRequest, remaining?: number): Decided | Nothing | Refusal {
    const wanted = request.decide(history, remaining);
    if (wanted.kind === "jump") {
      const { before, after } = wanted.files;
      return { kind: "decided", plan: wanted, transitions: this.#between(after, before), elsewhere: [] };
    }
    if (wanted.kind !== "plan" && wanted.kind !== "restore") return wanted;
    const { plan, elsewhere } = settleElsewhere(wanted, this.#files, this.#workspace.objects);
    if (!leavesTake(plan)) {
      const transitions = plan.files.map(({ before, after }) => this.#files.transition(before, after));
      return { kind: "decided", plan, transitions, elsewhere };
    }
    const files = transitionsWhenLeaving(history, plan, this.#identity.context(request.actor));
    if ("code" in files) return files;
    const transitions = files.flatMap(({ before, after }) => this.#between(before, after));
    return { kind: "decided", plan, transitions, elsewhere };
  }

  #treesAround(history: History, request: ChangeRequest): { before: string; after: string } | Refusal {
    const built = request.build(history, this.#identity.context(request.actor));
    if (built.kind === "refused") return built;
    const next = apply(history.state, built.operation, (id) => history.stateAt(id));
    return { before: tree(history.state, activeTake(history.state)), after: tree(next, activeTake(next)) };
  }

  #between(before: string, after: string): Transition[] {
    return this.#files.same(before, after) ? [] : [this.#files.transition(before, after)];
  }

  #commit(request: { thread: string; actor: Actor }, build: ChangeRequest["build"]): Operation {
    const done = this.#store.change(request.thread, (history) => build(history, this.#identity.context(request.actor)));
    if ("code" in done) throw new RefusedError(done);
    return done;
  }

  #noteLeft(thread: string, capture: CaptureId): void {
    const known = this.#store.read(thread, ({ state }) => tree(state, activeTake(state)));
    if (this.#files.same(known, capture)) return;
    const context = this.#identity.context({ kind: "editor" });
    this.#store.change(thread, ({ state }) => noteFilesEdited(state, context, { tree: capture }));
  }
}

/** Where and how files are put back. */
interface Place {
  readonly context: RestoreContext;
  readonly capture: CaptureId;
  readonly how: Omit<RestoreRequest, "transitions">;
}

interface Decided {
  readonly kind: "decided";
  readonly plan: AnyPlan;
  readonly transitions: readonly Transition[];
  readonly elsewhere: readonly FilesElsewhere[];
}

/** With all that is put back up to here. */
interface Rehearsed extends Decided {
  readonly files: RestorePlan | null;
}

function transitionsOf(steps: readonly Decided[]): Transition[] {
  return steps.flatMap(({ transitions }) => transitions);
}

function remainingOf({ plan }: Decided): number {
  return plan.kind === "plan" ? plan.remaining : 0;
}

function isBlocked(plan: AnyPlan): boolean {
  return plan.kind === "plan" && plan.policy === "abort" && plan.conflicts.length > 0;
}

/** Ends a restore that would change nothing, and rolls it back; `files` says what was to be different. */
class NothingRestoredError extends RefusedError {
  readonly files: RestorePlan | null;
  constructor(files: RestorePlan | null) {
    super(refuse("nothing-to-do", "Nothing to restore: the files are like that already."));
    this.files = files;
  }
}

function complete(history: History, context: Context, plan: AnyPlan, outcome: FilesOutcome): Built {
  switch (plan.kind) {
    case "jump":
      return completeJump(history, context, plan, outcome);
    case "restore":
      return completeRestore(history, context, plan, outcome);
    case "plan":
      return completePlan(history, context, plan, outcome);
  }
}
