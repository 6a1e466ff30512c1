import { z } from "zod";
import { jsonObject } from "./common.ts";
import { turnReceipt } from "./receipt.ts";
import { syncSummary } from "./sync.ts";
import { approval } from "./turn.ts";

/** The position of an event in the log: opaque; `Last-Event-ID` and `since_seq` accept it. */
const seq = { seq: z.string() };
const ofThread = { ...seq, thread_id: z.string() };
const ofTurn = { ...ofThread, turn_id: z.string() };
/** The entry that it will be in. */
const ofEntry = { ...ofTurn, entry: z.string() };
/** A part of an entry's text; `at` is the length of the text before it. */
const said = { ...ofEntry, at: z.number().int(), text: z.string() };

/** The stored form: the format `retake-operation` of the core, which `decode` and `apply` accept. */
const storedOperation = z.looseObject({
  format: z.literal("retake-operation"),
  format_version: z.number().int(),
  id: z.string(),
  version: z.number().int(),
  kind: z.string(),
  description: z.string(),
  take: z.string(),
  turn_id: z.string().optional(),
  diff: z.object({ changes: z.array(jsonObject), spaces: z.array(jsonObject).optional() }),
});

/**
 * Events, one vocabulary for every stream. Readers never miss a committed operation: a reader that comes back names the
 * last event it saw. All other events pass: an operation soon contains whatever matters of them, and a reader that
 * missed some gets a `gap`.
 */
export const event = z.discriminatedUnion("type", [
  z.object({ type: z.literal("operation-committed"), ...ofThread, operation: storedOperation }),
  /** An operation that is too large to send to every reader: a reader that needs its changes reads again. */
  z.object({
    type: z.literal("operation-omitted"),
    ...ofThread,
    operation: storedOperation.pick({ id: true, version: true, kind: true, turn_id: true }),
    size: z.number().int(),
  }),
  /** The first event of a stream that begins now: a reader that loses it before any other event comes back here. */
  z.object({ type: z.literal("stream-opened"), ...seq }),
  /** `operations`: some are lost, so a reader that folds them reads again. `live`: only passing events are lost. */
  z.object({ type: z.literal("gap"), ...seq, since_seq: z.string(), lost: z.enum(["operations", "live"]) }),
  z.object({ type: z.literal("turn-queued"), ...ofTurn, prompt: z.string(), model: z.string() }),
  z.object({ type: z.literal("turn-not-started"), ...ofTurn, code: z.string(), message: z.string() }),
  z.object({ type: z.literal("turn-started"), ...ofTurn, model: z.string() }),
  z.object({ type: z.literal("text"), ...said }),
  z.object({ type: z.literal("thinking"), ...said }),
  z.object({ type: z.literal("answer-discarded"), ...ofEntry }),
  z.object({
    type: z.literal("tool-started"),
    ...ofEntry,
    call_id: z.string(),
    name: z.string(),
    input: jsonObject,
    notices: z.array(jsonObject),
  }),
  z.object({ type: z.literal("tool-output"), ...said, call_id: z.string() }),
  z.object({
    type: z.literal("tool-ended"),
    ...ofEntry,
    call_id: z.string(),
    name: z.string(),
    /** Of a call that ended without having started. */
    input: jsonObject.optional(),
    status: z.string(),
    content: z.string(),
  }),
  approval.extend({ type: z.literal("approval-asked"), ...ofEntry }),
  z.object({ type: z.literal("approval-given"), ...ofEntry, call_id: z.string(), decision: z.string() }),
  z.object({ type: z.literal("notice"), ...ofTurn, message: z.string() }),
  z.object({
    type: z.literal("retry"),
    ...ofTurn,
    message: z.string(),
    retry_at: z.number(),
    attempt: z.number().int(),
    attempts: z.number().int(),
  }),
  z.object({
    type: z.literal("turn-finished"),
    ...ofTurn,
    /** `#7`: what people and commands call it. */
    turn_name: z.string().optional(),
    status: z.string(),
    usage: jsonObject,
    cost: z.number().optional(),
    failure: jsonObject.optional(),
    receipt: turnReceipt.optional(),
  }),
  z.object({
    type: z.literal("progress"),
    ...seq,
    /** The task, its directory, its thread, and its progress. */
    what: z.enum(["capture", "restore"]),
    workspace_root: z.string(),
    thread_id: z.string().optional(),
    /** Files that are captured, or back in place: of a restore none before it is committed, and until then it can be cancelled. */
    files: z.number().int(),
    bytes: z.number().int(),
    /** How many files there are in all, where that is known. */
    of: z.number().int().optional(),
  }),
  /** The state of sync has changed. Readers of one thread are told too. */
  z.object({
    type: z.literal("sync-changed"),
    ...seq,
    ...syncSummary.shape,
  }),
]);

export type RetakeEvent = z.infer<typeof event>;
