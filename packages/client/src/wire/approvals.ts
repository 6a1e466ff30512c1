import { z } from "zod";

/** A rule of the user for this machine. In patterns `*` stands for any characters; the last rule that matches decides. */
export const rule = z.strictObject({
  tool: z.string().max(200),
  path: z.string().max(4096).optional(),
  command: z.string().max(4096).optional(),
  decision: z.enum(["allow", "ask", "deny"]),
});

/**
 * Selects the calls that run unasked. `undoable`: calls that an undo takes back. `ask`: calls that only read. `all`:
 * every call.
 */
export const approvals = z.object({
  workspace_root: z.string(),
  mode: z.enum(["undoable", "ask", "all"]),
  /** Numbered from 1. */
  rules: z.array(rule),
  confinement: z.object({
    kind: z.enum(["bwrap", "unshare", "sandbox-exec", "none"]),
    description: z.string(),
  }),
});
