import { asJson, effectsOf, type Plan, type ReceiptEffect } from "@retake/core";

/** Something that a turn did and that stays done when the turn is taken back. */
export interface Staying extends ReceiptEffect {
  readonly turn_id: string;
  /** The name of the call. */
  readonly name?: string;
}

/**
 * X8: effects that an undo or a revert cannot take back, named before it and after it: effects of calls beside the
 * files, and changed files that no capture covers.
 */
export function stayingEffects(plan: Plan): { readonly effects: Staying[]; readonly uncovered: string[] } {
  const effects: Staying[] = [];
  const uncovered = new Set<string>();
  if (plan.operation !== "undone" && plan.operation !== "reverted") return { effects, uncovered: [] };
  for (const { turn_id, receipt, result } of plan.receipts) {
    // Reverting a single call keeps its turn, so the effects come from the call's result.
    const done = result ? effectsOf(asJson(result)) : (receipt?.effects ?? []);
    effects.push(...done.map((effect) => ({ ...effect, turn_id })));
    for (const path of (result ? result.receipt : receipt)?.uncovered_changed ?? []) uncovered.add(path);
  }
  return { effects, uncovered: [...uncovered].sort() };
}
