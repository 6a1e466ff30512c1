import type { Plan } from "@retake/core";

/**
 * Restricts a plan to some of its files: the conversation stays, and the groups stay in force, so that more of their files
 * can be taken back, and each group as a whole.
 */
export function onlyFiles(plan: Plan): Plan {
  return {
    ...plan,
    groups: [],
    active: { before: plan.active.before, after: plan.active.before },
    conflicts: [],
    turns_undone: 0,
    messages_removed: 0,
    turns_returned: 0,
    messages_returned: 0,
    original_user_text: null,
    links: {},
  };
}
