/** S10. Programs act as programs: the history names them as such, and what they change can be undone. */
export const HOOK = { kind: "hook" } as const;
