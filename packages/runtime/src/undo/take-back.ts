/**
 * Carries out what the core decided to take back: records and files, in one commit.
 *
 *   lock ─▶ finish interrupted restores ─▶ capture, note outside edits ─▶ plan (core)
 *        ─▶ plan files against the disk, stage ─▶ COMMIT operation and files' plan ─▶ files follow
 *
 * A dry run ends after the second plan and has changed nothing but the note of what the user did.
 */
import {
  type Actor,
  type Built,
  type ConflictPolicy,
  type Context,
  completeJump,
  completePlan,
  type History,
  type JumpPlan,
  type Nothing,
  type Operation,
  type Plan,
  type Refusal,
  tree,
} from "@retake/core";
import type { CaptureId } from "../store/capture-log.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { deriveCapture } from "../workspace/capture/derive-capture.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import type { ApplyReport } from "../workspace/restore/apply-actions.ts";
import type { RestorePlan, RestoreRequest } from "../workspace/restore/plan-restore.ts";
import { dryRun, restoreFiles } from "../workspace/restore/restore-files.ts";
import type { Transition } from "../workspace/restore/transitions.ts";
import { lockWorkspace } from "../workspace/restore/workspace-lock.ts";
import type { Identity } from "./identity.ts";
import { RefusedError, ThreadFiles, treeName } from "./thread-files.ts";

export interface TakeBackRequest {
  readonly thread: string;
  readonly actor: Actor;
  /** What the core decides, on the history as it is once the workspace is locked and captured. */
  readonly decide: (history: History) => Plan | JumpPlan | Nothing | Refusal;
  readonly onConflict?: ConflictPolicy;
  readonly paths?: RestoreRequest["paths"];
  readonly dryRun?: boolean;
}

export type TakenBack =
  | {
      readonly kind: "done";
      readonly operation: Operation;
      readonly plan: Plan | JumpPlan;
      readonly files: RestorePlan | null;
      readonly report: ApplyReport;
    }
  | { readonly kind: "would-do"; readonly plan: Plan | JumpPlan; readonly files: RestorePlan | null }
  | { readonly kind: "conflicts"; readonly plan: Plan | JumpPlan; readonly files: RestorePlan | null }
  | { readonly kind: "busy"; readonly message: string }
  | Nothing
  | Refusal;

export class TakeBack {
  readonly #store: ThreadStore;
  readonly #workspace: Workspace;
  readonly #identity: Identity;
  readonly #state: string;
  readonly #files: ThreadFiles;

  /** `state` is the directory that locks are kept in. */
  constructor(store: ThreadStore, workspace: Workspace, identity: Identity, state: string) {
    this.#store = store;
    this.#workspace = workspace;
    this.#identity = identity;
    this.#state = state;
    this.#files = new ThreadFiles(workspace, store, identity);
  }

  async carryOut(request: TakeBackRequest): Promise<TakenBack> {
    const root = Buffer.from(this.#workspace.root, "latin1").toString("utf8");
    const lock = lockWorkspace(this.#state, root);
    if (!lock) {
      return {
        kind: "busy",
        message: "Another Retake is changing files in this workspace. Nothing was changed; try again when it is done.",
      };
    }
    try {
      const { database, objects } = this.#workspace;
      const context = { root, database, objects, lock };
      const { id } = await this.#files.noteEdits(request.thread);
      const decided = this.#store.read(request.thread, (history) => this.#decide(history, request));
      if (!("plan" in decided)) return decided;
      const { plan, transitions } = decided;
      const blocked = plan.kind === "plan" && plan.policy === "abort" && plan.conflicts.length > 0;
      const wanted = {
        transitions,
        onConflict: request.onConflict ?? "abort",
        ...(request.paths ? { paths: request.paths } : {}),
      };
      if (request.dryRun || blocked) {
        const files = transitions.length === 0 ? null : dryRun(root, objects, wanted);
        return { kind: blocked || files?.outcome === "refused" ? "conflicts" : "would-do", plan, files };
      }
      if (transitions.length === 0) {
        const operation = this.#commit(request, plan, undefined);
        return { kind: "done", operation, plan, files: null, report: { displaced: [], blocked: [] } };
      }
      const result = await restoreFiles(context, wanted, (files) =>
        this.#commit(request, plan, deriveCapture(database, id, files.changes)),
      );
      if (result.kind === "refused") return { kind: "conflicts", plan, files: result.plan };
      const { displaced, blocked: left } = result;
      return {
        kind: "done",
        operation: result.committed,
        plan,
        files: result.plan,
        report: { displaced, blocked: left },
      };
    } catch (error) {
      if (error instanceof RefusedError) return error.refusal;
      throw error;
    } finally {
      lock.release();
    }
  }

  #decide(
    history: History,
    request: TakeBackRequest,
  ): { plan: Plan | JumpPlan; transitions: Transition[] } | Nothing | Refusal {
    const plan = request.decide(history);
    if (plan.kind === "jump") return { plan, transitions: this.#between(plan.files.after, plan.files.before) };
    if (plan.kind !== "plan") return plan;
    const transitions = plan.files.map(({ before, after }) => this.#files.transition(before, after));
    if (plan.active.after !== plan.active.before) {
      // Another take is active then: its files, from what this one's are once its own changes are back.
      const here = plan.files.at(-1)?.before ?? tree(history.state, plan.active.before);
      const there = history.state.spaces.has(plan.active.after) ? tree(history.state, plan.active.after) : here;
      transitions.push(...this.#between(there, here));
    }
    return { plan, transitions };
  }

  #between(before: string, after: string): Transition[] {
    return this.#files.same(before, after) ? [] : [this.#files.transition(before, after)];
  }

  #commit(request: TakeBackRequest, plan: Plan | JumpPlan, capture: CaptureId | undefined): Operation {
    const outcome = capture === undefined ? {} : { tree: treeName(capture) };
    const done = this.#store.change(request.thread, (history) =>
      complete(history, this.#identity.context(request.actor), plan, outcome),
    );
    if ("code" in done) throw new RefusedError(done);
    return done;
  }
}

function complete(history: History, context: Context, plan: Plan | JumpPlan, outcome: { tree?: string }): Built {
  return plan.kind === "jump"
    ? completeJump(history, context, plan, outcome)
    : completePlan(history, context, plan, outcome);
}
