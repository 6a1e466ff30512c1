import { roleOf } from "../session/operation.ts";
import { kindOf, spaceId, type TakeId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake, entries, runningTurn } from "../session/view.ts";
import { quoted } from "../values/text.ts";
import { extend, type Group, newGroup, UndoneGroups } from "./groups.ts";
import type { History } from "./history.ts";
import type { ConflictPolicy } from "./take-back.ts";
import { makePlan, type Plan, requestProblem } from "./undo-plan.ts";
import { type Step, walk } from "./walk.ts";

/** X3: one thing in the middle. `operation` takes its whole group; later work is kept. */
export interface RevertRequest {
  readonly take?: TakeId;
  readonly operation?: string;
  readonly turn?: string;
  readonly call?: string;
  readonly on_conflict?: ConflictPolicy;
}

export function planRevert(history: History, request: RevertRequest): Plan | Refusal {
  const take = request.take ?? activeTake(history.state);
  const wrong = requestProblem(history, take, 1, "both", request.on_conflict);
  if (wrong) return wrong;
  const given = [request.operation, request.turn, request.call].filter((each) => each !== undefined);
  if (given.length !== 1 || typeof given[0] !== "string")
    return refuse("invalid-input", "Name one operation, turn or call to take back. Nothing was changed.");
  const running = runningTurn(history.state, take);
  if (running !== undefined)
    return refuse("agent-running", "The agent is working. Interrupt it or wait until it is done; nothing was changed.");
  const found = request.call === undefined ? findGroup(history, take, request) : findCall(history, take, request.call);
  if ("code" in found) return found;
  return makePlan(history, {
    operation: "reverted",
    take,
    groups: [found],
    remaining: 0,
    policy: request.on_conflict ?? "abort",
    keep_prompt: false,
    description: `Revert: ${found.description}`,
    // A group that is reverted is no longer there to be undone. A single call leaves its turn there.
    links: request.call === undefined ? { undoes: [{ group: found.id, scope: found.scope }] } : {},
  });
}

function findGroup(history: History, take: TakeId, request: RevertRequest): Group | Refusal {
  const undone = new UndoneGroups();
  /** An operation may be named that is not the last of its group, so groups are gathered until it is found. */
  const gathered = new Map<string, Group>();
  let wanted: string | undefined;
  for (const step of walk(history, take)) {
    const { operation } = step;
    undone.pass(step);
    if (operation.id === request.operation || (request.turn !== undefined && operation.turn_id === request.turn))
      wanted = operation.group;
    let group = gathered.get(operation.group);
    if (!group) {
      group = newGroup(step, undone.left(step, "both") ?? "both");
      gathered.set(operation.group, group);
      if (wanted === operation.group) {
        const refusal = refusalFor(step, undone);
        if (refusal) return refusal;
      }
    }
    extend(group, step);
    if (wanted === operation.group && group.complete) return refusalFor(step, undone) ?? group;
    if (group.complete) gathered.delete(operation.group);
  }
  return refuse(
    "not-found",
    `There is no operation or turn ${quoted(request.operation ?? request.turn)} in this take. Nothing was changed.`,
  );
}

function refusalFor(step: Step, undone: UndoneGroups): Refusal | undefined {
  const { operation } = step;
  if (operation.kind === "thread-created")
    return refuse("invalid-input", "The beginning of a thread cannot be taken back. Delete the thread instead.");
  const undoing = roleOf(operation) === "undo" && undone.isCancelled(operation);
  if (undoing || undone.left(step, "both") === undefined)
    return refuse("nothing-to-do", "That has been taken back already.");
  return undefined;
}

/** A tool call is its result's entry, its mention in the step that called it, and what it did to the files. */
function findCall(history: History, take: TakeId, call: string): Group | Refusal {
  const missing = refuse("not-found", `There is no tool call ${call.slice(0, 80)} in this take. Nothing was changed.`);
  const all = [...entries(history.state, take)];
  const { id: result, turn_id } = all.findLast((entry) => entry.tool_result?.call_id === call) ?? {};
  if (result === undefined) return missing;
  // Models use the same id in several turns.
  const caller = all.findLast(
    (entry) => entry.turn_id === turn_id && entry.tool_calls?.some((each) => each.id === call),
  );
  const resultId = spaceId(take, "entry", result);
  let group: Group | undefined;
  for (const step of walk(history, take)) {
    if (!step.changes.some((change) => change.id === resultId)) continue;
    group ??= { ...newGroup(step, "both"), role: "whole" };
    // An undo, a redo or a jump that took the result away or brought it back did more to the files than the call.
    if (roleOf(step.operation) !== "turn") continue;
    extend(group, only(step, resultId));
    if (step.operation.kind === "tool-started") break;
  }
  if (!group) return missing;
  // Whatever was edited in the result since goes with it.
  const made = history.state.spaces.get(take)?.entries.get(result);
  group.records.set(resultId, { before: undefined, after: made });
  if (caller) {
    const id = spaceId(take, "entry", caller.id);
    const after = history.state.spaces.get(take)?.entries.get(caller.id);
    const calls = caller.tool_calls?.filter((each) => each.id !== call);
    if (after) group.records.set(id, { before: { ...after, tool_calls: calls as never }, after });
  }
  group.description = `call of ${String(made?.["tool_result"] && (made["tool_result"] as { name?: string }).name)}`;
  return group;
}

function only(step: Step, id: string): Step {
  return { ...step, changes: step.changes.filter((change) => change.id === id || kindOf(change.id) === "workspace") };
}
