import { describeCall } from "../session/describe-call.ts";
import type { Change } from "../session/diff.ts";
import type { Entry } from "../session/entry.ts";
import { liveGroup, liveGroupsFrom } from "../session/live-groups.ts";
import type { Operation, OperationId } from "../session/operation.ts";
import type { TakeId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake, entryById, runningTurn, turn } from "../session/view.ts";
import { quoted } from "../values/text.ts";
import type { ConflictPolicy } from "./conflict.ts";
import type { History } from "./history.ts";
import type { Plan } from "./plan.ts";
import { Trial } from "./trial.ts";
import { type Resolutions, refuseRunning, requestProblem } from "./undo-plan.ts";

/**
 * X3: takes back one thing in the middle of the history: the group of an operation, several turns in a row, or one tool
 * call. Later work stays.
 */
export interface RevertRequest {
  readonly take?: TakeId;
  /** Reverts its whole group; for an operation of a tool call, only that call. */
  readonly operation?: OperationId;
  /** With `operation`, an operation of a later turn: reverts all turns from the one to the other. */
  readonly until?: OperationId;
  /** Reverts one tool call: the id of its result's entry. */
  readonly result?: string;
  readonly on_conflict?: ConflictPolicy;
  readonly resolutions?: Resolutions;
}

export function planRevert(history: History, request: RevertRequest): Plan | Refusal {
  const take = request.take ?? activeTake(history.state);
  const wrong = requestProblem(history, take, 1, "both", request.on_conflict);
  if (wrong) return wrong;
  const given = [request.operation, request.result].filter((each) => each !== undefined);
  if (given.length !== 1 || typeof given[0] !== "string")
    return refuse("invalid-input", "Name one operation or call to take back. Nothing was changed.");
  if (runningTurn(history.state, take) !== undefined) return refuseRunning("changed");
  const found = find(history, take, request);
  if ("code" in found) return found;
  const { on_conflict: policy = "abort", resolutions } = request;
  const trial = new Trial(history, { operation: "reverted", take, policy, resolutions, prompt: "gone" });
  if (request.until !== undefined) return planTurns(history, trial, found.operation, request.until);
  const { operation, result } = found;
  const live = liveGroup(history.state, take, operation);
  const { id, version } = operation;
  // A jump may have brought the call back, while the group of its turn is not in force.
  const group = live ?? (result && { record: { id, role: "turn" } as const, version, thread: false });
  if (!group) return refuse("nothing-to-do", "That has been taken back already, or is not in this take's history.");
  const scope = (result === undefined ? group.record.left : undefined) ?? "both";
  const hasEffect = trial.takeBack(group, take, scope, result?.id);
  const what = result ? describeCall(history.state, take, result) : operation.description;
  // A reverted group can no longer be undone. After the revert of a single call its turn still can.
  const plan = trial.plan(`Revert: ${what}`, result ? {} : { undoes: [{ group: id, scope }] });
  if (plan.kind === "refused" || hasEffect || plan.conflicts.length > 0) return plan;
  return refuse("nothing-to-do", NOTHING_LEFT);
}

const NOTHING_LEFT = "Nothing of that is left: a later change has removed or replaced it. Nothing was changed.";

/** The turns that began between two operations, newest first. Other steps between them stay. */
function planTurns(history: History, trial: Trial, first: Operation, until: OperationId): Plan | Refusal {
  const named = history.operation(until);
  const last = named && (history.operation(named.group) ?? named);
  if (!last || last.version < first.version || trial.take === undefined)
    return refuse("invalid-input", "The last turn must be the first one or a later one. Nothing was changed.");
  const take = trial.take;
  // Versions are of the whole thread: between two turns of another take there may be turns of this one.
  const isHere = (operation: Operation) => operation.take === take || liveGroup(history.state, take, operation);
  if (!isHere(first) || !isHere(last))
    return refuse("invalid-input", "The first and the last turn must be in this take's history. Nothing was changed.");
  for (const group of liveGroupsFrom(history.state, take, last.version)) {
    if (group.version < first.version) break;
    if (group.record.role === "turn") trial.takeBack(group, take, group.record.left ?? "both");
  }
  const { taken } = trial;
  if (taken.length === 0)
    return refuse("nothing-to-do", "Those turns have been taken back already, or are not in this take's history.");
  const undoes = taken.map(({ group, scope }) => ({ group: group.record.id, scope }));
  const [only] = taken;
  return trial.plan(`Revert: ${taken.length === 1 ? only?.description : `${taken.length} turns`}`, { undoes });
}

/** The first operation of the requested group, and for a single call the id of its result's entry. */
function find(
  history: History,
  take: TakeId,
  request: RevertRequest,
): { readonly operation: Operation; readonly result?: Entry } | Refusal {
  const missing = refuse(
    "not-found",
    `There is no operation or call ${quoted(request.operation ?? request.result)} in this take. Nothing was changed.`,
  );
  const meant = request.operation === undefined ? undefined : history.operation(request.operation);
  if (request.operation !== undefined && !meant) return missing;
  if (meant?.kind === "thread-created")
    return refuse("invalid-input", "The beginning of a thread cannot be taken back. Delete the thread instead.");
  const wanted = meant ? resultOf(meant) : request.result;
  if (meant && wanted === undefined) return { operation: history.operation(meant.group) ?? meant };
  const result = entryById(history.state, take, wanted ?? "");
  const operation = history.operation(turn(history.state, take, result?.turn_id ?? "")?.group ?? "");
  return result?.tool_result && operation ? { operation, result } : missing;
}

/** The id of the result's entry that an operation of a tool call is about. */
function resultOf({ kind, take, diff }: Operation): string | undefined {
  if (!["tool-proposed", "tool-started", "tool-progressed", "tool-ended"].includes(kind)) return undefined;
  const entry = `${take}/entry:`;
  return diff.changes.find((change: Change) => change.id.startsWith(entry))?.id.slice(entry.length);
}
