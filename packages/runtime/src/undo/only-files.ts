import type { Plan } from "@retake/core";

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
