/**
 * A plan that is shown before it is carried out. Every change that touches files is asked for as a dry run first. Where
 * nothing is kept, in conflict or left over, it is carried out at once; otherwise it is drawn into the conversation and the
 * inspector, and the user decides. What is carried out is the plan that was shown (`plan_id`), or the server refuses it.
 */
import { ApiError } from "@retake/client";
import {
  type Conflict,
  type Decisions,
  decide,
  holdDecisions,
  NO_DECISIONS,
  needsLook,
  planCounts,
  resolutionsOf,
  type TakenBack,
  type Use,
} from "@retake/client/screen";
import { say, sayError } from "./notices.ts";
import { forgetDrafts } from "./result-draft.ts";
import { isUnreachable, messageOf } from "./session.ts";
import { Store } from "./store.ts";

export type Scope = "both" | "conversation" | "files";

/** The input of a plan's route. Pass on those that yours has. */
export interface PlanOptions {
  readonly dry_run?: boolean;
  readonly plan_id?: string;
  readonly detail?: boolean;
  readonly scope?: Scope;
  readonly keep_prompt?: boolean;
  readonly on_conflict?: "abort" | "keep" | "merge" | "overwrite";
  readonly resolutions?: readonly { readonly path: string; readonly use: Use }[];
}

export interface PlanRequest {
  /** Its effect, as a heading: `Undo #7`. */
  readonly title: string;
  /** Calls the route: `(options) => client.undo(thread, { turns: 1, ...options })`. */
  readonly call: (options: PlanOptions) => Promise<TakenBack>;
  /** Whether it takes something back: the words for the versions of a conflict then say so. */
  readonly takesBack?: boolean;
  /** Whether conversation and files can be chosen apart. */
  readonly scopes?: boolean;
  /** Whether the prompt can be kept. */
  readonly prompts?: boolean;
  /** After it was done; the default says what happened and offers the way back. */
  readonly done?: (answer: TakenBack) => void;
  /** Where there is nothing to do; the default says so. */
  readonly nothing?: () => void;
}

export interface PlanState {
  readonly request: PlanRequest;
  readonly options: PlanOptions;
  /** The answer of the dry run; undefined while it is asked for. */
  readonly plan: TakenBack | undefined;
  readonly decisions: Decisions;
  /** The paths of conflicts that had other sides when they were decided. */
  readonly changed: ReadonlySet<string>;
  readonly failure: string | undefined;
  readonly applying: boolean;
  /** Whether the conversation is shown instead, on a screen that has no room for both. */
  readonly aside?: boolean;
}

export const planStore = new Store<PlanState | undefined>(undefined);

const CHANGED_MEANWHILE = "Something changed meanwhile. This is the plan now; nothing was done.";

/** `never`: only conflicts are shown. */
export type Preview = "always" | "when-needed" | "never";

/** How often a thread was left. A plan that began before belongs to another thread. */
let leaves = 0;

/** Asks for the dry run, then shows it or carries it out. `always`: shows it in any case. */
export async function startPlan(request: PlanRequest, show: Preview = "when-needed"): Promise<void> {
  const options: PlanOptions = {};
  const begun = leaves;
  // Also where other options were chosen meanwhile: `changePlan` asks with those.
  const isLeft = () => (show === "always" ? planStore.value?.options !== options : leaves !== begun);
  const begin = (plan: TakenBack | undefined, failure?: string) =>
    planStore.set({ request, options, plan, decisions: NO_DECISIONS, changed: new Set(), failure, applying: false });
  if (show === "always") begin(undefined);
  try {
    const plan = await dryRun(request, options);
    const nothing = plan.message !== undefined && (plan.entries ?? []).length === 0 && (plan.files ?? []).length === 0;
    const needsDecision = show === "always" || (show === "never" ? (plan.conflicts ?? []).length > 0 : needsLook(plan));
    if ((nothing || needsDecision) && isLeft()) return;
    if (nothing) {
      planStore.set(undefined);
      if (request.nothing) request.nothing();
      else say(plan.message ?? "There is nothing to do.");
    } else if (needsDecision) begin(plan);
    else await carryOut(request, { ...options, ...named(plan) });
  } catch (error) {
    if (isLeft()) return show === "always" ? undefined : sayError(messageOf(error));
    // Where it was asked: a notice alone would be gone before it is read.
    begin(undefined, messageOf(error));
  }
}

/** Asks for the plan again, with other options. `failure` says why, where that was not the user's wish. */
export async function changePlan(change: Partial<PlanOptions>, failure?: string): Promise<void> {
  const before = planStore.value;
  if (!before) return;
  const options = { ...before.options, ...change };
  planStore.set({ ...before, options, failure });
  try {
    const plan = await dryRun(before.request, options);
    const now = planStore.value;
    if (now?.request !== before.request || now.options !== options) return;
    const { decisions, changed } = holdDecisions(now.decisions, plan);
    planStore.set({ ...now, plan, decisions, changed: new Set([...now.changed, ...changed.map(({ path }) => path)]) });
  } catch (error) {
    planStore.update((now) => (now?.request === before.request ? { ...now, failure: messageOf(error) } : now));
  }
}

/** Decides some conflicts of the plan, and looks whether the others are still those that were decided. */
export function decideConflicts(conflicts: readonly Conflict[], use: Use): Promise<void> {
  planStore.update((state) => state && { ...state, decisions: decide(state.decisions, conflicts, use) });
  return changePlan({});
}

/** Does what is shown. A refusal is shown in the plan, and nothing has changed. */
export async function applyPlan(): Promise<void> {
  const state = planStore.value;
  if (!state?.plan || state.applying) return;
  planStore.set({ ...state, applying: true, failure: undefined });
  const isShown = () => planStore.value?.request === state.request;
  try {
    const resolutions = resolutionsOf(state.plan, state.decisions);
    const decided = resolutions.length === 0 ? {} : { resolutions };
    await carryOut(state.request, { ...state.options, ...named(state.plan), ...decided });
    forgetDrafts();
    if (isShown()) leavePlan();
  } catch (error) {
    if (!isShown()) return sayError(messageOf(error));
    if (isUnreachable(error)) {
      // It may be done: another Enter must not do it to what came before.
      leavePlan();
      return sayError(messageOf(error));
    }
    planStore.update((now) => now && { ...now, applying: false, failure: messageOf(error) });
    if (!(error instanceof ApiError) || error.status !== 409) return;
    // Another change came first: show the plan for the present state.
    await changePlan({}, error.code === "stale-plan" ? CHANGED_MEANWHILE : messageOf(error));
  }
}

export function putPlanAside(aside: boolean): void {
  planStore.update((state) => state && { ...state, aside });
}

export function leavePlan(): void {
  planStore.set(undefined);
}

/** A plan is of one thread: on the screen of another thread its button would act on the first one. */
export function leaveThread(): void {
  leaves += 1;
  forgetDrafts();
  leavePlan();
}

/** Where something is in conflict, the refusal tells the plan. */
async function dryRun(request: PlanRequest, options: PlanOptions): Promise<TakenBack> {
  try {
    return await request.call({ ...options, dry_run: true, detail: true });
  } catch (error) {
    if (error instanceof ApiError && error.code === "conflict") return error.details as TakenBack;
    // A request for a preview changes nothing, also where it was carried out and its answer was lost.
    if (isUnreachable(error)) throw new Error("The server cannot be reached. Nothing was changed.");
    throw error;
  }
}

async function carryOut(request: PlanRequest, options: PlanOptions): Promise<void> {
  const answer = await request.call(options);
  if (request.done) return request.done(answer);
  const counts = planCounts(answer);
  say(`${answer.description ?? answer.message ?? request.title}${counts === "" ? "" : ` · ${counts}`}`);
}

function named({ plan_id }: TakenBack): { plan_id?: string } {
  return plan_id === undefined ? {} : { plan_id };
}
