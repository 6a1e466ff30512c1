import { z } from "zod";
import { changed, filesChanged } from "./common.ts";
import { receiptEffect } from "./receipt.ts";

/** The outcome of an undo, redo, revert, jump or restore, or with `dry_run` the expected one. */
export const takenBack = z.object({
  ...changed,
  turns_undone: z.number().int(),
  messages_removed: z.number().int(),
  /** Turns and entries that a redo, or the undo of a removal, brought back. */
  turns_returned: z.number().int(),
  messages_returned: z.number().int(),
  ...filesChanged,
  snapshot_restored: z.string().nullable(),
  original_user_text: z.string().nullable(),
  /** The prompt that is the draft again. */
  returned_prompt: z.string().optional(),
  receipt: z
    .object({
      displaced: z.array(z.unknown()),
      blocked: z.array(z.string()),
      effects: z.array(receiptEffect.extend({ turn_id: z.string() })),
      /** Files that the turns changed and that are in no capture. */
      uncovered: z.array(z.string()),
    })
    .nullable(),
  thread: z.string(),
  /** For a dry run: the entries that would go, come or change. */
  entries: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        role: z.string(),
        preview: z.string(),
        becomes: z.enum(["removed", "returned", "changed"]),
      }),
    )
    .optional(),
});

export const patchUndone = takenBack.extend({
  patch_result: z.object({
    files_restored: z.number().int(),
    summary: z.string(),
    snapshot_label: z.string().nullable(),
  }),
});

/** The compatibility route's answer. */
export const sessionUndone = z.object({
  turns_undone: z.number().int(),
  messages_removed: z.number().int(),
  files_reverted: z.array(z.string()),
  snapshot_restored: z.string().nullable(),
});
