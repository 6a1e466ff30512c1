import { z } from "zod";
import { at } from "./common.ts";

const key = z.string().max(1000);
const count = z.coerce.number().int().min(1).max(2000);

/** Which part of a state is asked for; without `entries`, all of it. */
export const windowQuery = {
  ...at,
  take: z.string().max(200).optional(),
  /** `last:300`, `before:<entry>:300`, `after:<entry>:300`, or `range`: what `from`, `to` and `groups` say. */
  entries: z
    .string()
    .regex(/^(?:last:\d{1,4}|(?:before|after):#?[A-Za-z0-9._-]{1,128}:\d{1,4}|range)$/)
    .optional(),
  /** As a window before said it; open where it is left out. */
  from: key.optional(),
  to: key.optional(),
  groups: key.optional(),
  /** So many entries more than the range has. */
  more_before: count.optional(),
  more_after: count.optional(),
};

/**
 * The part of its take that a checkpoint contains, and its neighbours. Keys are opaque; they sort as the entries do.
 */
export const window = z.object({
  take: z.string(),
  /** The range of entries, both keys included; null where it is open, so that what comes there later lies in it. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The first of the groups that can be taken back; null where all are there. */
  groups: z.string().nullable(),
  /** The entries next to the range; null where there is none. */
  previous: z.string().nullable(),
  next: z.string().nullable(),
  /** All entries of the take. */
  total: z.number().int(),
});
