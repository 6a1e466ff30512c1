import { z } from "zod";
import { time } from "./common.ts";

/** P1: a named save of a thread. */
export const session = z.looseObject({
  id: z.string(),
  name: z.string(),
  thread_id: z.string(),
  operation: z.string(),
  take: z.string(),
  created_at: time,
});
