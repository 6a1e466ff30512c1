import { z } from "zod";
import { time } from "./common.ts";

/** P1: a named save of a thread. */
export const session = z.looseObject({
  id: z.string(),
  thread_id: z.string(),
  /** The point that it names. */
  op_id: z.string(),
  title: z.string(),
  take: z.string(),
  created_at: time,
});
