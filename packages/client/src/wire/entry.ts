import { z } from "zod";
import { changed, jsonObject, time } from "./common.ts";

/** An entry is open: keys that are not listed are kept through every operation. */
export const entry = z.looseObject({
  id: z.string(),
  role: z.string(),
  content: z.string(),
  ts: time,
  collapsed: z.boolean(),
  read_mode: z.boolean(),
  turn_id: z.string().optional(),
  thinking_segments: z.array(jsonObject).optional(),
  tool_calls: z.array(jsonObject).optional(),
  tool_result: jsonObject.optional(),
  usage: jsonObject.optional(),
});

/** An entry as it is given: any of its fields, and any other keys. What they may hold is the core's to say. */
export const entryInput = z.looseObject({
  id: z.string().optional(),
  role: z.string().optional(),
  content: z.string().optional(),
});

/** What a change breaks for the model (X7), where it was asked for. */
const effects = { effects: jsonObject.optional() };

export const entryChanged = z.object({ ...changed, entry: entry.optional(), ...effects });
