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

/** An entry as a caller gives it: any of its fields, and any other keys. The core checks their values. */
export const entryInput = z.looseObject({
  id: z.string().optional(),
  role: z.string().optional(),
  content: z.string().optional(),
});

/** The parts of the model's context that a change breaks, and how the next request repairs them (X7). */
const editEffects = z.object({
  /** The first part that the provider must read again; absent when its cache is still valid. */
  cache: z
    .object({
      /** Index of the first message that differs; -1 when the system prompt does. */
      message: z.number().int(),
      entry_id: z.string().optional(),
      /** An estimate: four characters a token. */
      tokens: z.number().int(),
    })
    .optional(),
  /** Entries whose thinking was sent before and will not be any more. */
  thinking_left_out: z.array(z.string()),
  thinking_turned_off: z.boolean(),
  repairs: z.array(z.object({ code: z.string(), entry_ids: z.array(z.string()), message: z.string() })),
  /** One line for the user; empty when nothing is broken. */
  summary: z.string(),
});

export const entryChanged = z.object({ ...changed, entry: entry.optional(), effects: editEffects.optional() });
