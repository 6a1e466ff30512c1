import { preview } from "../session/entry.ts";
import type { TakeId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake, entryById, turn } from "../session/view.ts";
import type { History } from "./history.ts";
import type { Nothing, Plan } from "./plan.ts";
import { planUndo } from "./undo-plan.ts";

/**
 * P3: takes back the last turn and starts another one in its place. The undo and the new turn are one group, so undoing
 * a retry brings the first answer back.
 */
export interface RetryPlan {
  readonly kind: "retry";
  /** The plan that takes the turn back. Its operation is the first of the new turn's group (`startTurn`, `retries`). */
  readonly plan: Plan;
  /** The prompt, with later edits. */
  readonly prompt: string;
  /** The model that gave the answer. */
  readonly model: string | undefined;
}

export function planRetry(history: History, request: { readonly take?: TakeId } = {}): RetryPlan | Refusal {
  const take = request.take ?? activeTake(history.state);
  const plan = planTries(history, take);
  if (plan.kind === "refused") return plan;
  if (plan.kind === "nothing") return refuse("no-such-turn", "There is no turn to try again. Nothing was changed.");
  const last = plan.groups.find(({ group }) => group.record.role === "turn");
  // A turn of which only the files can still be taken back would stay in the conversation beside its replacement.
  const replaced = last?.scope === "files" ? undefined : last?.group.record.turn_id;
  const retried = turn(history.state, take, replaced ?? "");
  if (!retried)
    return refuse(
      "no-such-turn",
      `The last step is no whole turn but "${plan.groups[0]?.description}". Undo it first; nothing was changed.`,
    );
  const entry = entryById(history.state, take, retried.prompt_entry);
  const prompt = entry?.content ?? retried.prompt;
  const description = `Retry: ${preview({ content: prompt })}`;
  // The prompt does not become the draft: it, or a changed one, is sent at once.
  const taken = { ...plan, description, turns_undone: 1, original_user_text: null, prompt: "gone" as const };
  return { kind: "retry", plan: taken, prompt, model: retried.model };
}

/**
 * Takes back the last turn. When that was a retry itself, its undo brings the earlier try back, which is taken back
 * too, and so on.
 */
function planTries(history: History, take: TakeId): Plan | Nothing | Refusal {
  let known = 0;
  for (let count = 1; ; count += 1) {
    const plan = planUndo(history, { take, count });
    const first = plan.kind === "plan" ? plan.groups.at(-1)?.group.record : undefined;
    if (plan.kind !== "plan" || first?.role !== "turn" || history.operation(first.id)?.kind !== "undone") return plan;
    if (plan.groups.length === known)
      return refuse(
        "no-such-turn",
        "The turn that this one replaced is further back than undo_depth allows. Nothing was changed.",
      );
    known = plan.groups.length;
  }
}
