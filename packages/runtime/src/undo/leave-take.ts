/**
 * Taking back what made another take active: a switch, a branch, a jump. Two takes are concerned then. The one that
 * is left keeps files of its own, without what is taken back of them; the one that is active afterwards has its files on
 * disk. What was changed from outside since the take became active is nobody's to take away, and stays on disk.
 */
import { apply, completePlan, type History, type Plan, type Refusal, tree } from "@retake/core";

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
