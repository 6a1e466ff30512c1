import { z } from "zod";
import { jsonObject, time } from "./common.ts";

export const snapshot = z.looseObject({
  id: z.string(),
  op_id: z.string().nullable(),
  label: z.string().nullable(),
  kind: z.enum(["pre-turn", "tool", "post-turn", "pre-restore", "manual"]),
  /** The git tree id, in SHA-256 format. */
  tree: z.string(),
  thread_id: z.string().nullable(),
  turn_id: z.string().nullable(),
  created_at: time,
  files: z.number().int(),
  bytes: z.number().int(),
});

export const fileDiff = z.looseObject({
  path: z.string(),
  status: z.string(),
  old_path: z.string().optional(),
  additions: z.number().int().nullable().optional(),
  deletions: z.number().int().nullable().optional(),
  hunks: z.array(jsonObject).optional(),
});
