/**
 * Taking back what made another take active: a switch, a branch, a jump. Two takes are concerned then. The one that
 * is left keeps files of its own, without what is taken back of them; the one that is active afterwards has its files on
 * disk. What was changed from outside since the take became active is nobody's to take away, and stays on disk.
 */
import { apply, completePlan, type History, type Plan, type Refusal, tree } from "@retake/core";
import type { Change } from "../workspace/model.ts";
import { composeTransitions, type Transition } from "../workspace/restore/transitions.ts";

export function leavesTake(plan: { readonly kind: string }): plan is Plan {
  return plan.kind === "plan" && (plan as Plan).active.after !== (plan as Plan).active.before;
}

/** The trees that the disk goes between once the plan's own files are taken back. */
export function treesWhenLeaving(
  history: History,
  plan: Plan,
  context: Parameters<typeof completePlan>[1],
): { readonly from: string; readonly to: string } | Refusal {
  const built = completePlan(history, context, { ...plan, policy: "overwrite" });
  if (built.kind === "refused") return built;
  const next = apply(history.state, built.operation, (id) => history.stateAt(id));
  const leaving = plan.groups.at(-1);
  const from =
    plan.operation === "reverted" || !leaving
      ? tree(history.state, plan.active.before)
      : (leaving.files.at(-1)?.before ?? tree(history.stateAt(leaving.id), plan.active.before));
  return { from, to: tree(next, plan.active.after) };
}

/** What becomes of the files of the take that is left, which are not on disk any more. What was edited since stays. */
export function changesToTakeLeft(transitions: readonly Transition[], since: readonly Change[]): Change[] {
  const edited = new Set(since.map(({ path }) => path));
  const changes: Change[] = [];
  for (const [path, known] of composeTransitions(transitions, () => true)) {
    const [step, ...more] = known.kind === "steps" ? known.steps : [];
    if (!step || more.length > 0 || edited.has(path)) continue;
    const { left, target } = step;
    changes.push({ path, ...(left && { before: left }), ...(target && { after: target }) });
  }
  return changes;
}
