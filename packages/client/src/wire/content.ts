import { z } from "zod";

/** Bytes in JSON. */
export const content = z.strictObject({
  encoding: z.enum(["utf8", "base64"]),
  content: z.string(),
  size: z.number().int(),
});
