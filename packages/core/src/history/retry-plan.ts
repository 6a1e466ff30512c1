import { preview } from "../session/entry.ts";
import type { TakeId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake, entryById, turn } from "../session/view.ts";
import type { History } from "./history.ts";
import type { Nothing, Plan } from "./plan.ts";
import { planUndo } from "./undo-plan.ts";

/**
 * P3: the last turn is taken back, and another begins in its place. The undo and the new turn are one
 * group: to take the retry back is to have the first answer again.
 */
export interface RetryPlan {
  readonly kind: "retry";
  /** What takes the turn back. Its operation is the first of the new turn's group (`startTurn`, `retries`). */
  readonly plan: Plan;
  /** What was asked, as it stands now. */
  readonly prompt: string;
  /** The model that answered. */
  readonly model: string | undefined;
}

export function planRetry(history: History, request: { readonly take?: TakeId } = {}): RetryPlan | Refusal {
  const take = request.take ?? activeTake(history.state);
  const plan = planTries(history, take);
  if (plan.kind === "refused") return plan;
  if (plan.kind === "nothing") return refuse("no-such-turn", "There is no turn to try again. Nothing was changed.");
  const last = plan.groups.find(({ group }) => group.record.role === "turn");
  const retried = turn(history.state, take, last?.group.record.turn_id ?? "");
  if (!retried)
    return refuse(
      "no-such-turn",
      `The last step is no turn but "${plan.groups[0]?.description}". Undo it first; nothing was changed.`,
    );
  const entry = entryById(history.state, take, retried.prompt_entry);
  const prompt = entry?.content ?? retried.prompt;
  const description = `Retry: ${preview({ content: prompt })}`;
  // The prompt is not returned to the draft: it is sent again, or another is.
  const taken = { ...plan, description, turns_undone: 1, original_user_text: null, prompt: "gone" as const };
  return { kind: "retry", plan: taken, prompt, model: retried.model };
}

/** The last turn, and where it was a retry itself, the tries before: each brings back the one that it replaced. */
function planTries(history: History, take: TakeId): Plan | Nothing | Refusal {
  let known = 0;
  for (let count = 1; ; count += 1) {
    const plan = planUndo(history, { take, count });
    const first = plan.kind === "plan" ? plan.groups.at(-1)?.group.record : undefined;
    if (plan.kind !== "plan" || first?.role !== "turn" || history.operation(first.id)?.kind !== "undone") return plan;
    if (plan.groups.length === known)
      return refuse("no-such-turn", "What this turn replaced lies behind undo_depth. Nothing was changed.");
    known = plan.groups.length;
  }
}
