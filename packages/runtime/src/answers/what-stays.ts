import { effectsOf, keyOf, kindOf, type Plan, type ReceiptEffect, type TurnReceipt } from "@retake/core";

/** Something that a turn did and that stays done when the turn is taken back. */
export interface Staying extends ReceiptEffect {
  readonly turn_id: string;
}

/**
 * X8: what an undo or a revert cannot take back, named before it and after it: effects of calls beside the
 * files, and files that were changed and are in no capture.
 */
export function whatStays(plan: Plan): { readonly effects: Staying[]; readonly uncovered: string[] } {
  const effects: Staying[] = [];
  const uncovered = new Set<string>();
  if (plan.operation !== "undone" && plan.operation !== "reverted") return { effects, uncovered: [] };
  for (const { records, turn_id = "" } of plan.groups) {
    let ofTurn = false;
    for (const [id, { before, after }] of records) {
      if (kindOf(id) !== "turn" || before || !after) continue;
      ofTurn = true;
      const receipt = after["receipt"] as unknown as TurnReceipt | undefined;
      effects.push(...(receipt?.effects ?? []).map((effect) => ({ ...effect, turn_id: keyOf(id) })));
      for (const path of receipt?.uncovered_changed ?? []) uncovered.add(path);
    }
    // A single call that is reverted leaves its turn there: what it did is in its result.
    for (const [id, { before, after }] of records) {
      if (ofTurn || kindOf(id) !== "entry" || before || !after?.["receipt"]) continue;
      effects.push(...effectsOf(after).map((effect) => ({ ...effect, turn_id })));
      const paths = (after["receipt"] as { uncovered_changed?: string[] }).uncovered_changed ?? [];
      for (const path of paths) uncovered.add(path);
    }
  }
  return { effects, uncovered: [...uncovered].sort() };
}
