/** The kinds of snapshots, in words. */
export const SNAPSHOT_KINDS = {
  "pre-turn": "before a turn",
  tool: "after a tool call",
  "post-turn": "after a turn",
  "pre-restore": "before a restore",
  manual: "taken by hand",
} as const;
