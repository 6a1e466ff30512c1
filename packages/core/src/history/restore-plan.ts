import { restoreFiles } from "../operations/files.ts";
import type { Built, Context } from "../session/draft.ts";
import type { TakeId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake, runningTurn, tree } from "../session/view.ts";
import { labelled } from "../values/check.ts";
import { nameProblem } from "../values/text.ts";
import type { Transition } from "./group-changes.ts";
import type { History } from "./history.ts";
import { refuseRunning } from "./undo-plan.ts";

/**
 * P4: sets the files to those of a snapshot, whichever take made it, and changes nothing else. Core does not see the
 * files, so the runtime detects later changes by the user; they are conflicts.
 */
export interface FilesPlan {
  readonly kind: "restore";
  readonly version: number;
  readonly take: TakeId;
  readonly snapshot: string;
  /** The transition to reverse in the files. */
  readonly files: Transition;
  /** Changes by the user are merged, as by an undo; otherwise they are conflicts. */
  readonly merge: boolean;
  readonly description: string;
}

export interface FilesRequest {
  readonly snapshot: string;
  readonly tree: string;
  /** Restores only the changes since this tree, which the files on disk come from. */
  readonly base?: string;
}

export function planSnapshotRestore(history: History, request: FilesRequest): FilesPlan | Refusal {
  const { state } = history;
  const take = activeTake(state);
  const problem =
    labelled("The snapshot", nameProblem(request.snapshot)) ??
    labelled("The snapshot's tree", nameProblem(request.tree));
  if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
  if (runningTurn(state, take) !== undefined) return refuseRunning("changed");
  return {
    kind: "restore",
    version: state.version,
    take,
    snapshot: request.snapshot,
    files: { before: request.tree, after: request.base ?? tree(state, take) },
    merge: request.base !== undefined,
    description: `Restore files from ${request.snapshot}`,
  };
}

/**
 * Makes the operation of a plan, after the files have become `tree` (or are unchanged, when there was nothing to take
 * back).
 */
export function completeSnapshotRestore(
  history: History,
  context: Context,
  plan: FilesPlan,
  outcome: { readonly tree?: string } = {},
): Built {
  return restoreFiles(
    history.state,
    { ...context, take: plan.take, expected_version: plan.version },
    { tree: outcome.tree ?? tree(history.state, plan.take), snapshot: plan.snapshot },
  );
}
