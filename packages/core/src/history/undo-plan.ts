import { type Built, build, type Context } from "../session/draft.ts";
import { type LiveGroup, lastRedoable, liveGroup, liveGroups } from "../session/live-groups.ts";
import type { OperationId, UndoScope } from "../session/operation.ts";
import { spaceId, type TakeId, takeOf } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake, runningTurn, setting } from "../session/view.ts";
import { type Conflict, type ConflictChoice, type ConflictPolicy, unresolved } from "./conflict.ts";
import type { GroupSelection } from "./group-changes.ts";
import type { History } from "./history.ts";
import type { Nothing, Plan } from "./plan.ts";
import { without } from "./take-back.ts";
import { GroupReversal, Trial } from "./trial.ts";

export interface UndoRequest {
  readonly take?: TakeId;
  /** How many turns and whole-conversation steps to undo; with `steps`, how many steps of any kind. */
  readonly count?: number;
  readonly steps?: boolean;
  /** Instead of a number: the operation that began the group with which the undo ends. */
  readonly until?: OperationId;
  readonly scope?: UndoScope;
  /** U3: the prompt stays as an entry instead of becoming the draft. */
  readonly keep_prompt?: boolean;
  readonly on_conflict?: ConflictPolicy;
  readonly resolutions?: Resolutions;
}

/** For single records, instead of the policy. */
export type Resolutions = ConflictChoice["resolutions"];

/** Decides what undo would take back. Touches nothing; `runtime/undo` carries it out. */
export function planUndo(history: History, request: UndoRequest = {}): Plan | Nothing | Refusal {
  const take = request.take ?? activeTake(history.state);
  const { count = 1, until } = request;
  const scope = request.steps ? "both" : (request.scope ?? "both");
  const wrong = requestProblem(history, take, count, scope, request.on_conflict);
  if (wrong) return wrong;
  const last = until === undefined ? undefined : history.operation(until);
  if (until !== undefined && !(last && liveGroup(history.state, take, last))) return outOfReach();
  const trial = new Trial(history, {
    operation: "undone",
    take,
    policy: request.on_conflict ?? "abort",
    resolutions: request.resolutions,
    prompt: request.keep_prompt ? "entry" : "draft",
  });
  const depth = setting(history.state, take, "undo_depth");
  let passed = 0;
  let before: LiveGroup | undefined;
  let counted = 0;
  let isDone = false;
  while (!isDone) {
    const at = trial.take;
    const group: LiveGroup | undefined =
      at === undefined ? undefined : liveGroups(trial.state, at, before).next().value;
    if (!group || at === undefined) break;
    before = group;
    const { id, role, turn_id, left } = group.record;
    if (role === "undo" || (request.steps && isMerge(history, group))) continue;
    // Steps made since a running turn began can be undone. The turn itself and everything before it cannot.
    if (turn_id !== undefined && turn_id === runningTurn(history.state, at)) {
      if (trial.taken.length === 0) return refuseRunning("undone");
      break;
    }
    passed += 1;
    if (depth > 0 && passed > depth) break;
    isDone = id === until;
    const wanted = role === "step" && !request.steps ? undefined : common(scope, left ?? "both");
    if (wanted === undefined) continue;
    if (trial.takeBack(group, at, wanted)) counted += 1;
    isDone ||= until === undefined && counted === count;
    if (trial.take !== at) before = undefined;
  }
  if (until !== undefined && !isDone) return outOfReach();
  if (trial.taken.length === 0) return { kind: "nothing", message: "Nothing to undo" };
  const undoes = trial.taken.map(({ group, scope }) => ({ group: group.record.id, scope }));
  return trial.plan(describe("Undo", trial.taken), { undoes });
}

function outOfReach(): Refusal {
  return refuse(
    "nothing-to-do",
    "Undo does not reach that any more. A jump to the moment before it leads there. Nothing was changed.",
  );
}

/** Redo takes undos back, newest first, and brings back exactly what each one took. Any later change ends the redo. */
export function planRedo(
  history: History,
  request: Pick<UndoRequest, "take" | "count" | "on_conflict" | "resolutions"> = {},
): Plan | Nothing | Refusal {
  const take = request.take ?? activeTake(history.state);
  const count = request.count ?? 1;
  const wrong = requestProblem(history, take, count, "both", request.on_conflict);
  if (wrong) return wrong;
  if (runningTurn(history.state, take) !== undefined) return refuseRunning("redone");
  const trial = new Trial(history, {
    operation: "redone",
    take,
    policy: request.on_conflict ?? "abort",
    resolutions: request.resolutions,
    prompt: "gone",
  });
  while (trial.taken.length < count && trial.take !== undefined) {
    const undo = lastRedoable(trial.state, trial.take);
    if (!undo) break;
    trial.takeBack(undo, trial.take, "both");
  }
  if (trial.taken.length === 0) return { kind: "nothing", message: "Nothing to redo" };
  const redoes = trial.taken.map(({ group }) => group.record.id);
  return trial.plan(describe("Redo", trial.taken).replace("Redo: Undo", "Redo"), { redoes });
}

/** The trees that resulted from the restore of the files, for the takes that the plan names. */
export interface FilesOutcome {
  readonly trees?: ReadonlyMap<TakeId, string>;
}

/** Makes the operation of a plan after its files are restored. */
export function completePlan(
  history: History,
  context: Context,
  plan: Plan,
  { trees = new Map() }: FilesOutcome = {},
): Built {
  const blocking = unresolved(plan);
  if (blocking.length > 0) return refuseConflicts(blocking);
  return build(history.state, { ...context, take: plan.take, expected_version: plan.version }, (draft) => {
    const reversal = new GroupReversal(draft, history, plan);
    for (const taken of plan.groups) reversal.takeBack(taken);
    reversal.finish();
    for (const [take, tree] of trees) if (draft.state.spaces.has(take)) draft.put(spaceId(take, "workspace"), { tree });
    const { changes, spaces } = draft.diff();
    const thread =
      spaces !== undefined ||
      plan.groups.some(({ group }) => group.thread) ||
      changes.some(({ id }) => takeOf(id) !== plan.take);
    return {
      kind: plan.operation,
      description: plan.description,
      scope: thread ? "thread" : "take",
      // A group without an effect on records may still have had one on files.
      evenIfEmpty: true,
      ...plan.links,
    };
  });
}

function refuseConflicts(conflicts: readonly Conflict[]): Refusal {
  const message = conflicts[0]?.message ?? "Something was changed since";
  const more = conflicts.length > 1 ? `, and ${conflicts.length - 1} more` : "";
  return refuse(
    "conflict",
    `${message}${more}. Nothing was changed; keep it, merge it or overwrite it by naming a policy.`,
    { conflicts: conflicts.map((each) => ({ ...each })) },
  );
}

/** M6: no step of this user. It made the take of whoever worked on another machine, who would lose it. */
function isMerge(history: History, { record: { id, role } }: LiveGroup): boolean {
  return role === "step" && history.operation(id)?.kind === "heads-merged";
}

/** The part that both scopes include. */
function common(wanted: UndoScope, left: UndoScope): UndoScope | undefined {
  const missing = without("both", left);
  return missing === undefined ? wanted : without(wanted, missing);
}

export function refuseRunning(what: "changed" | "redone" | "undone"): Refusal {
  return refuse(
    "agent-running",
    `The agent is working. Stop it (retake stop) or wait until it is done; nothing was ${what}.`,
  );
}

const POLICIES: readonly unknown[] = [undefined, "abort", "keep", "merge", "overwrite"];
const SCOPES: readonly unknown[] = ["both", "conversation", "files"];

export function requestProblem(
  history: History,
  take: unknown,
  count: unknown,
  scope: unknown,
  policy: unknown,
): Refusal | undefined {
  if (typeof take !== "string" || !history.state.spaces.has(take))
    return refuse("not-found", "There is no such take. Nothing was changed.");
  if (!Number.isInteger(count) || (count as number) < 1)
    return refuse("invalid-input", "The number to take back must be a whole number from 1. Nothing was changed.");
  if (!SCOPES.includes(scope))
    return refuse("invalid-input", "The scope must be both, conversation or files. Nothing was changed.");
  if (!POLICIES.includes(policy))
    return refuse(
      "invalid-input",
      "The policy for conflicts must be abort, keep, merge or overwrite. Nothing was changed.",
    );
  return undefined;
}

function describe(verb: string, groups: readonly GroupSelection[]): string {
  const [only] = groups;
  if (groups.length === 1 && only) return `${verb}: ${only.description}`;
  const turns = groups.filter(({ group }) => group.record.role === "turn").length;
  return turns === groups.length ? `${verb} ${turns} turns` : `${verb} ${groups.length} steps`;
}
