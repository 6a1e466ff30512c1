import { z } from "zod";

/** The body of every answer that is not a success. */
export const errorBody = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() }),
});

export type ErrorBody = z.infer<typeof errorBody>;
