import { z } from "zod";

/** JSON that is passed on unchanged. */
export const jsonObject = z.record(z.string(), z.unknown());

/** ISO 8601. */
export const time = z.string();

/** Where a list is cut: `limit` items, after the one that `cursor` names. Whole unless a limit is given. */
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
 * or id the moment right after it, and `^` after either the moment right before.
 */
export const at = { at: z.string().max(200).optional() };

/** A switch in a query: `?all=true`. */
export const querySwitch = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .optional();

const conflictPolicy = z.enum(["abort", "keep", "merge", "overwrite"]);

/** The options of all requests that change files on disk. */
export const withFiles = {
  dry_run: z.boolean().optional(),
  on_conflict: conflictPolicy.optional(),
  /**
   * Overrides the policy for single conflicts: the present content, the one to come, both with markers, or another
   * content.
   */
  resolutions: z
    .array(
      z.strictObject({
        path: z.string().max(4096),
        use: z.union([z.enum(["mine", "theirs", "merged"]), z.strictObject({ content: z.string().max(16_000_000) })]),
      }),
    )
    .max(10_000)
    .optional(),
  /** Conflicts include the contents of their sides. */
  detail: z.boolean().optional(),
  /** The id of a dry run: does exactly what the dry run said, or is refused. */
  plan_id: z.string().max(100).optional(),
};

/** Only these changes of these files, by the numbers that `hunk.edits` gives. */
export const chosenHunks = {
  hunks: z
    .array(z.strictObject({ path: z.string().max(4096), edits: z.array(z.number().int().min(0)) }))
    .max(10_000)
    .optional(),
};

/** Lines that changed together, as a unified diff has them. */
export const hunk = z.object({
  old_start: z.number().int(),
  old_lines: z.number().int(),
  new_start: z.number().int(),
  new_lines: z.number().int(),
  lines: z.array(z.string()),
  /** The changes in it, by the numbers that `revert` and `take-over` take as `hunks`. */
  edits: z.array(z.number().int()),
});

/** The fields of every change's answer: its operation (null if there was nothing to do) and the thread's version. */
export const changed = {
  op_id: z.string().nullable(),
  version: z.number().int(),
  /** The description of the operation, or of the one that a dry run would make. */
  description: z.string().optional(),
  /** The action that takes the operation back: an undo, an undo of one step, a redo, or a jump to the moment before. */
  taken_back_by: z.enum(["undo", "undo-step", "redo", "jump"]).optional(),
  /** Its body. Without it an undo of one step does it, and after `undo` also an undo of one turn. */
  taken_back_with: z
    .object({
      turns: z.number().int().optional(),
      steps: z.number().int().optional(),
      scope: z.enum(["conversation", "files"]).optional(),
      keep_prompt: z.literal(true).optional(),
      op: z.string().optional(),
    })
    .optional(),
  /** Why there was nothing to do. */
  message: z.string().optional(),
};

const side = z
  .object({
    kind: z.enum(["file", "link", "directory", "unknown", "record"]),
    size: z.number().int().optional(),
    executable: z.boolean().optional(),
    /** Of the whole content: another one means that it changed. */
    hash: z.string().optional(),
    /** The content is the beginning only. */
    more: z.boolean().optional(),
    encoding: z.enum(["utf8", "base64"]).optional(),
    content: z.string().optional(),
  })
  .nullable();

export const filesChanged = {
  /** The outcome for each file; a dry run gives the expected one. */
  files: z.array(
    z.object({
      path: z.string(),
      became: z.enum(["restored", "removed", "merged", "markers", "replaced", "kept", "put-away"]),
      reason: z.string().optional(),
    }),
  ),
  files_reverted: z.array(z.string()),
  /** The reverted files that no longer exist, because the change that is taken back created them. */
  files_deleted: z.array(z.string()),
  files_kept: z.array(z.object({ path: z.string(), reason: z.string() })),
  conflicts: z.array(
    z.object({
      path: z.string(),
      kind: z.string(),
      name: z.string().optional(),
      /** With `detail`: `mine` is the present content, `theirs` the one to come, `base` their common origin. */
      sides: z
        .object({
          base: side,
          mine: side,
          theirs: side,
          merged: side,
          /** How `mine` would become `theirs`, of texts. */
          hunks: z.array(hunk).optional(),
        })
        .optional(),
    }),
  ),
  /** Present for a dry run or a refusal. A call that names it carries out exactly this plan, or is refused. */
  plan_id: z.string().optional(),
};
