import {
  type Built,
  type Context,
  completeJump,
  completePlan,
  completeSnapshotRestore,
  type History,
  type TakeId,
} from "@retake/core";
import type { AnyPlan } from "./foresee.ts";

/** The operation of a plan, with the trees that its files became. */
export function complete(history: History, context: Context, plan: AnyPlan, trees: ReadonlyMap<TakeId, string>): Built {
  const tree = trees.get(plan.take);
  const outcome = tree === undefined ? {} : { tree };
  switch (plan.kind) {
    case "jump":
      return completeJump(history, context, plan, outcome);
    case "restore":
      return completeSnapshotRestore(history, context, plan, outcome);
    case "plan":
      // The files of takes that are not on disk are merged as far as possible: the rest stays.
      return completePlan(
        history,
        context,
        { ...plan, conflicts: plan.conflicts.filter(({ record }) => !isFiles(record)) },
        { trees },
      );
  }
}

function isFiles(record: string): boolean {
  return record.endsWith("/workspace");
}
