/**
 * Taking back what made another take active: a switch, a branch, a jump. Two takes are concerned then. The one that
 * is left keeps files of its own, without what is taken back of them; the one that is active afterwards has its files on
 * disk. What was changed from outside since the take became active is nobody's to take away, and stays on disk.
 */
import {
  apply,
  completePlan,
  doneSince,
  type History,
  type Plan,
  type Refusal,
  type Transition,
  tree,
} from "@retake/core";

export function leavesTake(plan: { readonly kind: string }): plan is Plan {
  return plan.kind === "plan" && (plan as Plan).active.after !== (plan as Plan).active.before;
}

/**
 * What the disk is taken back through, newest first: all that was done in the take since it became active, not only what
 * the plan takes back (an undo stays done, and is of that take alone), and then what is other in the next take.
 */
export function transitionsWhenLeaving(
  history: History,
  plan: Plan,
  context: Parameters<typeof completePlan>[1],
): readonly Transition[] | Refusal {
  const built = completePlan(history, context, { ...plan, policy: "overwrite" });
  if (built.kind === "refused") return built;
  const next = apply(history.state, built.operation, (id) => history.stateAt(id));
  const { before: left, after: arriving } = plan.active;
  const arrival = plan.operation === "reverted" ? undefined : plan.groups.at(-1)?.id;
  const done = arrival === undefined ? undefined : doneSince(history, left, arrival);
  const from = tree(done && arrival !== undefined ? history.stateAt(arrival) : history.state, left);
  return [...(done ?? []), { before: tree(next, arriving), after: from }];
}
