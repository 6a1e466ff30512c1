import { z } from "zod";
import { jsonObject } from "./common.ts";
import { operation } from "./operation.ts";

/**
 * What the feed tells. Committed operations carry a sequence number and are never missed: a reader that
 * comes back names the last number it saw. What has none (`text`, `tool-output` …) is told to whoever
 * listens at the moment; all of it that matters is in an operation a moment later.
 */
export const operationCommitted = z.object({
  type: z.literal("operation-committed"),
  seq: z.number().int(),
  thread_id: z.string(),
  version: z.number().int(),
  operation,
  /** What the operation did to the records; left out where that is so much that reading again is cheaper. */
  changes: z
    .object({
      parents: z.array(z.string()),
      group: z.string(),
      scope: z.enum(["take", "thread"]),
      redoes: z.array(z.string()).optional(),
      diff: z.object({ changes: z.array(jsonObject), spaces: z.array(jsonObject).optional() }),
    })
    .optional(),
});

/** Operations between two numbers cannot be told any more: whoever folds events reads again. */
export const gap = z.object({ type: z.literal("gap"), seq: z.number().int(), since_seq: z.number().int() });

const ofTurn = { thread_id: z.string(), turn_id: z.string() };

export const passingEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("turn-queued"), ...ofTurn }),
  z.object({ type: z.literal("turn-not-started"), ...ofTurn, code: z.string(), message: z.string() }),
  z.object({ type: z.literal("text"), ...ofTurn, text: z.string() }),
  z.object({ type: z.literal("thinking"), ...ofTurn, text: z.string() }),
  z.object({ type: z.literal("answer-discarded"), ...ofTurn }),
  z.object({ type: z.literal("notice"), ...ofTurn, message: z.string() }),
  z.object({ type: z.literal("tool-output"), ...ofTurn, call_id: z.string(), text: z.string() }),
  z.object({ type: z.literal("approval-asked"), ...ofTurn, call_id: z.string() }),
  z.object({ type: z.literal("approval-given"), ...ofTurn, call_id: z.string(), decision: z.string() }),
  z.object({ type: z.literal("retry"), ...ofTurn, message: z.string(), retry_at: z.number() }),
  z.object({
    type: z.literal("progress"),
    /** What is being done in which directory, for which thread, and how far it is. */
    what: z.enum(["capture", "restore"]),
    workspace_root: z.string(),
    thread_id: z.string().optional(),
    /** Files that are captured, or back in place: of a restore none before it is committed, and until then it can be cancelled. */
    files: z.number().int(),
    bytes: z.number().int(),
    /** How many files there are in all, where that is known. */
    of: z.number().int().optional(),
  }),
]);

export const feedEvent = z.union([operationCommitted, gap, passingEvent]);

export type OperationCommitted = z.infer<typeof operationCommitted>;
export type Gap = z.infer<typeof gap>;
export type PassingEvent = z.infer<typeof passingEvent>;
export type FeedEvent = z.infer<typeof feedEvent>;
