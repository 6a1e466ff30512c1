import type { Plan } from "@retake/core";

/** Some files of what a plan takes back: the conversation stays, and so does the group, to be undone as a whole. */
export function onlyFiles(plan: Plan): Plan {
  return {
    ...plan,
    groups: plan.groups.map((taken) => ({ ...taken, scope: "files" as const })),
    active: { before: plan.active.before, after: plan.active.before },
    conflicts: [],
    turns_undone: 0,
    messages_removed: 0,
    original_user_text: null,
    links: {},
  };
}
