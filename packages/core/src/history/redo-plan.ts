import { roleOf } from "../session/operation.ts";
import type { TakeId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake, runningTurn } from "../session/view.ts";
import { extend, type Group, newGroup, UndoneGroups } from "./groups.ts";
import type { History } from "./history.ts";
import type { ConflictPolicy } from "./take-back.ts";
import { describe, leavesTake, makePlan, type Nothing, type Plan, requestProblem } from "./undo-plan.ts";
import { walk } from "./walk.ts";

/**
 * Redo takes undos back, newest first: what the last undo took returns exactly. A change since has
 * ended it; notes of what happened outside have not.
 */
export function planRedo(
  history: History,
  request: { readonly take?: TakeId; readonly count?: number; readonly on_conflict?: ConflictPolicy } = {},
): Plan | Nothing | Refusal {
  const take = request.take ?? activeTake(history.state);
  const count = request.count ?? 1;
  const wrong = requestProblem(history, take, count, "both", request.on_conflict);
  if (wrong) return wrong;
  if (runningTurn(history.state, take) !== undefined) {
    return refuse("agent-running", "The agent is working. Interrupt it or wait until it is done; nothing was redone.");
  }
  const groups = redoable(history, take, count);
  if (groups.length === 0) return { kind: "nothing", message: "Nothing to redo" };
  return makePlan(history, {
    operation: "redone",
    take,
    groups,
    remaining: groups.some(leavesTake) ? count - groups.length : 0,
    policy: request.on_conflict ?? "abort",
    keep_prompt: false,
    description: describe("Redo", groups).replace("Redo: Undo", "Redo"),
    links: { redoes: groups.map((group) => group.id) },
  });
}

/** The undos that redo would take back, newest first. */
export function redoable(history: History, take: TakeId, most: number): Group[] {
  const undone = new UndoneGroups();
  const groups: Group[] = [];
  for (const step of walk(history, take)) {
    const { operation } = step;
    undone.pass(step);
    const role = roleOf(operation);
    if (role === "note" || role === "redo") continue;
    if (role !== "undo") break;
    if (undone.isCancelled(operation)) continue;
    const group = newGroup(step, "both");
    extend(group, step);
    groups.push(group);
    if (groups.length === most || leavesTake(group)) break;
  }
  return groups;
}
