import { restoreFiles } from "../operations/files.ts";
import type { SpaceChange } from "../session/diff.ts";
import type { Built, Context } from "../session/draft.ts";
import { type OperationId, roleOf } from "../session/operation.ts";
import { kindOf, type TakeId, takeOf } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake, runningTurn, tree } from "../session/view.ts";
import { labelled, maybe } from "../values/check.ts";
import { idProblem, nameProblem } from "../values/text.ts";
import { treeIn } from "./branch-cuts.ts";
import type { Transition } from "./groups.ts";
import type { History } from "./history.ts";
import { walk } from "./walk.ts";

/**
 * P4: the files of a snapshot come back, and nothing else. Of a snapshot that was made by itself, what the
 * agent and Retake did to the files since is taken back, and what was edited outside since is kept, as in an
 * undo (H5). One that the user made is gone back to exactly: the edits since are what the user goes back from.
 */
export interface FilesPlan {
  readonly kind: "restore";
  readonly version: number;
  readonly take: TakeId;
  readonly snapshot: string;
  /** What the files must be taken back through, newest first. */
  readonly files: readonly Transition[];
  readonly description: string;
}

export interface FilesRequest {
  readonly snapshot: string;
  readonly tree: string;
  /** The operation that the snapshot was made after; without it, the files become exactly the snapshot's. */
  readonly after?: OperationId;
}

export function planRestore(history: History, request: FilesRequest): FilesPlan | Refusal {
  const { state } = history;
  const take = activeTake(state);
  const problem =
    labelled("The snapshot", nameProblem(request.snapshot)) ??
    labelled("The snapshot's tree", nameProblem(request.tree)) ??
    labelled("The snapshot's operation", maybe(idProblem)(request.after));
  if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
  if (runningTurn(state, take) !== undefined)
    return refuse("agent-running", "The agent is working. Interrupt it or wait until it is done; nothing was changed.");
  const done = request.after === undefined ? undefined : doneSince(history, take, request.after);
  return {
    kind: "restore",
    version: state.version,
    take,
    snapshot: request.snapshot,
    files: done ?? [{ before: request.tree, after: tree(state, take) }],
    description: `Restore files from ${request.snapshot}`,
  };
}

/** The operation of a plan, once the files are `tree` (or are as they were, when there was nothing to take back). */
export function completeRestore(
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

/**
 * What was done to the files of a take since an operation: newest first, without what was edited outside; undefined when
 * the take's history does not lead there.
 */
export function doneSince(history: History, take: TakeId, operation: OperationId): Transition[] | undefined {
  const found: Transition[] = [];
  for (const step of walk(history, take)) {
    if (step.operation.id === operation) return found;
    // The files of another take were others: what was done to them says nothing of these.
    if (step.inherited || step.operation.diff.spaces?.some((change) => change.take === take && !isSame(change)))
      return undefined;
    for (const { id, before, after } of step.changes) {
      if (kindOf(id) !== "workspace" || takeOf(id) !== take || roleOf(step.operation) === "note") continue;
      found.push({ before: treeIn(before), after: treeIn(after) });
    }
  }
  return undefined;
}

/** A take that went, or came back as it was when it went, has the same history. */
function isSame({ take, before, after }: SpaceChange): boolean {
  if (after === null) return true;
  return before === null && after !== "empty" && after.take === take && after.upto === undefined;
}
