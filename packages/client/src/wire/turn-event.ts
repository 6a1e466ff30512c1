import { z } from "zod";
import { jsonObject } from "./common.ts";
import { gap } from "./event.ts";
import { approval } from "./turn.ts";

const ofTurn = { thread_id: z.string(), turn_id: z.string() };
const ofCall = { call_id: z.string(), name: z.string() };

/**
 * What one turn tells, as `retake run --json` prints it, and besides what it waits for. The last one is `turn-finished`, or
 * `turn-not-started` where it did not come to that.
 */
export const turnEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("turn-started"), ...ofTurn, model: z.string() }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), text: z.string() }),
  z.object({ type: z.literal("answer-discarded") }),
  z.object({ type: z.literal("tool-started"), ...ofCall, input: jsonObject, notices: z.array(jsonObject) }),
  z.object({ type: z.literal("tool-output"), call_id: z.string(), text: z.string() }),
  z.object({ type: z.literal("tool-ended"), ...ofCall, status: z.string(), content: z.string() }),
  z.object({ type: z.literal("notice"), message: z.string() }),
  z.object({ type: z.literal("retry"), message: z.string(), retry_at: z.number() }),
  approval.extend({ type: z.literal("approval-asked") }),
  z.object({ type: z.literal("approval-given"), call_id: z.string(), decision: z.string() }),
  z.object({
    type: z.literal("turn-finished"),
    ...ofTurn,
    status: z.string(),
    usage: jsonObject,
    cost: z.number().optional(),
    failure: jsonObject.optional(),
    receipt: jsonObject.optional(),
  }),
  z.object({ type: z.literal("turn-not-started"), code: z.string(), message: z.string() }),
  gap,
]);

export type TurnEvent = z.infer<typeof turnEvent>;
