import { z } from "zod";
import { jsonObject, more, time } from "./common.ts";
import { turnReceipt } from "./receipt.ts";
import { fileDiff } from "./snapshot.ts";

const operation = z.object({
  id: z.string(),
  /** The first letters of its hash; taken wherever an operation is. */
  name: z.string(),
  kind: z.string(),
  description: z.string(),
  actor: z.object({ kind: z.string(), name: z.string().optional() }),
  created_at: time,
  thread_id: z.string(),
  take: z.string(),
  turn_id: z.string().optional(),
  /** `#7`, which as a point is the turn's end; `#7^` is right before it. */
  turn_name: z.string().optional(),
  /** The operations it was made on: two of a merge. */
  parents: z.array(z.string()),
  /** The first operation of its group: a turn is one, and a burst of typing. */
  group: z.string(),
  undoes: z.array(z.object({ group: z.string(), scope: z.string() })).optional(),
});

export const history = z.object({
  operations: z.array(
    operation.extend({
      undone: z.boolean(),
      /** With `files`: how many files it changed, a turn as a whole; absent where they are not kept any more. */
      files: z.number().int().optional(),
    }),
  ),
  can_undo: z.boolean(),
  can_redo: z.boolean(),
  head: z.string().nullable(),
  /** The listed operation that the thread stands at: not the head where that only notes something of git. */
  stands_at: z.string().nullable(),
  ...more,
});

/** The changes of one operation, together with the earlier changes of its group. */
export const operationShown = operation.extend({
  /** The description of the group's first operation: for a turn, its prompt. */
  about: z.string(),
  version: z.number().int(),
  changes: z.array(
    z.object({
      record: z.string(),
      /** The name of an entry or a turn. */
      name: z.string().optional(),
      status: z.enum(["added", "changed", "removed"]),
      before: jsonObject.optional(),
      after: jsonObject.optional(),
    }),
  ),
  files: z.array(fileDiff),
  /** For a turn that has ended: the coverage of its files, and the effects that no undo takes back. */
  receipt: turnReceipt.optional(),
});
