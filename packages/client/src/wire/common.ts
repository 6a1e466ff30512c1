import { z } from "zod";

/** JSON that is passed on as it is. */
export const jsonObject = z.record(z.string(), z.unknown());

/** ISO 8601. */
export const time = z.string();

/** Where a list is cut: `limit` items, behind the one that `cursor` names. Whole unless a limit is given. */
export const page = {
  limit: z.coerce.number().int().min(1).max(100_000).optional(),
  cursor: z.string().max(300).optional(),
};

/** The other end of a list: so many of its last items, in their order. */
export const last = { last: page.limit };

/** Given with a page that more follows: what `cursor` takes to go on. */
export const more = { cursor: z.string().optional() };

/**
 * A point of the history: the state as it was then. Without it, as it is now. `#7` is the end of turn 7, an operation's name
 * or id the moment right after it, and `^` behind either the moment right before.
 */
export const at = { at: z.string().max(200).optional() };

/** A switch in a query: `?all=true`. */
export const querySwitch = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .optional();

export const conflictPolicy = z.enum(["abort", "keep", "merge", "overwrite"]);

/** For everything after which other files are on disk. */
export const withFiles = {
  dry_run: z.boolean().optional(),
  on_conflict: conflictPolicy.optional(),
};

/** What every change answers: the operation it made (none when nothing was to do) and the thread's version. */
export const changed = {
  op_id: z.string().nullable(),
  version: z.number().int(),
  /** Of the operation, or of what a dry run would do. */
  description: z.string().optional(),
  /** What takes the operation back. */
  taken_back_by: z.enum(["undo", "undo-step", "redo"]).optional(),
  /** Why there was nothing to do. */
  message: z.string().optional(),
};

export const filesChanged = {
  files_reverted: z.array(z.string()),
  /** Those of them that are gone by it: what is taken back had made them. */
  files_deleted: z.array(z.string()),
  files_kept: z.array(z.object({ path: z.string(), reason: z.string() })),
  conflicts: z.array(z.object({ path: z.string(), kind: z.string(), name: z.string().optional() })),
};
