import { type Plan, refuse } from "@retake/core";
import type { RestorePlan } from "@retake/workspace";
import type { DecidedFiles } from "./decide-files.ts";
import { RefusedError } from "./thread-files.ts";

/**
 * Restricts a plan to some of the files on disk: the conversation, the active take and the files of other takes stay, and
 * the groups stay in force, so that more of their files can be taken back, and each group as a whole.
 */
export function onlyFiles(plan: Plan): Plan {
  const take = plan.active.before;
  return {
    ...plan,
    groups: [],
    files: new Map([[take, plan.files.get(take) ?? []]]),
    changes_records: false,
    active: { before: take, after: take },
    conflicts: [],
    turns_undone: 0,
    messages_removed: 0,
    turns_returned: 0,
    messages_returned: 0,
    original_user_text: null,
    links: {},
  };
}

/**
 * Whether only files on disk would change: where they are like that already, there is nothing to do. An undo takes its turn back
 * all the same, so that the next undo takes back the turn before.
 */
export function changesFilesOnly({ plan, elsewhere }: DecidedFiles): boolean {
  if (plan.kind !== "plan") return plan.kind === "restore";
  const isIdle = !plan.changes_records && plan.conflicts.length === 0 && elsewhere.size === 0;
  return isIdle && plan.operation === "reverted";
}

/** Ends a restore that would change nothing, and rolls it back; `files` tells what should have changed. */
export class NothingRestoredError extends RefusedError {
  readonly files: RestorePlan | null;
  constructor(files: RestorePlan | null) {
    super(refuse("nothing-to-do", "Nothing to restore: the files are like that already, or were not changed there."));
    this.files = files;
  }
}
