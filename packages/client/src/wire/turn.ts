import { z } from "zod";
import { changed, jsonObject, time } from "./common.ts";

/** A tool call that waits for the user's word. */
export const approval = z.object({
  call_id: z.string(),
  name: z.string(),
  input: jsonObject,
  notices: z.array(jsonObject),
  /** The how manieth question of its step it is, and how many there are; in events alone. */
  number: z.number().int().optional(),
  of: z.number().int().optional(),
  /** Where a command would run; where the turn runs in this process. */
  directory: z.string().optional(),
  /** The change of a file that it would make, as lines with `-` and `+`; where the turn runs in this process. */
  preview: z.string().optional(),
  /** The rule that `allow-always` would add; without one it cannot be given. */
  always: jsonObject.optional(),
});

/**
 * `queued`: it waits until what runs in the thread or its workspace is done. `paused`: its process ended before it began; it runs
 * when somebody continues it.
 */
export const turn = z.looseObject({
  id: z.string(),
  /** `#7`, given when it begins: it never changes, and no other turn gets it. */
  name: z.string().optional(),
  prompt: z.string(),
  status: z.enum([
    "queued",
    "paused",
    "running",
    "finished",
    "cut-off",
    "refused",
    "step-limit",
    "interrupted",
    "failed",
    "not-started",
  ]),
  model: z.string().optional(),
  started_at: time.optional(),
  ended_at: time.optional(),
  /** Why it was not started, or failed. */
  failure: jsonObject.optional(),
  /** Present while it waits after a failure of the model: why, and when it asks again. */
  retry: z
    .object({ message: z.string(), retry_at: z.number(), attempt: z.number().int(), attempts: z.number().int() })
    .optional(),
  approvals: z.array(approval),
});

export const turnChanged = z.object({ ...changed, turn_id: z.string(), turn });

export const turnAccepted = turnChanged.extend({ thread_id: z.string(), status: z.enum(["queued", "running"]) });

export const turnInterrupted = turnChanged.extend({ status: z.string() });

export const approvalGiven = z.object({
  ...changed,
  turn_id: z.string(),
  call_id: z.string(),
  decision: z.enum(["allow", "allow-always", "deny"]),
  approval,
});

/** The requests of a turn, and one of them whole. */
export const turnRequest = z.object({
  turn_id: z.string(),
  requests: z.array(
    z.object({
      step: z.number().int(),
      /** More than one where the model failed and was asked again. */
      attempt: z.number().int(),
      at: time,
      model: z.string(),
      messages: z.number().int(),
    }),
  ),
  request: z
    .object({
      step: z.number().int(),
      attempt: z.number().int(),
      at: time,
      model: z.string(),
      system: z.string(),
      tools: z.array(jsonObject),
      messages: z.array(jsonObject),
      /** Temperature and what else was set. */
      settings: jsonObject,
      /** Null where none came, as after a kill. */
      response: jsonObject.nullable(),
    })
    .nullable(),
  /** Lines of the log that cannot be read any more. */
  unreadable: z.number().int(),
});
