import { z } from "zod";

const paths = z.array(z.string());
/** Paths that are on disk and left out, with the reason. */
const uncovered = z.array(z.object({ path: z.string(), reason: z.string() }));
const covered = { files: z.number().int(), bytes: z.number().int(), ignored_changed: paths, uncovered_changed: paths };

/** An effect of a call that no undo takes back (X8). */
export const receiptEffect = z.object({
  call_id: z.string(),
  /** The entry of the call's result, and the name of the call. */
  entry: z.string().optional(),
  name: z.string().optional(),
  tool: z.string(),
  what: z.string(),
});

/** The effects of a turn on files and beyond; core's `TurnReceipt`. */
export const turnReceipt = z.object({
  ...covered,
  files_changed: paths,
  uncovered,
  effects: z.array(receiptEffect),
  omitted: z.number().int(),
});

/** The files that a capture covered, and those that it left out. */
export const captureReceipt = z.object({ ...covered, changed: z.number().int(), uncovered, found_by: z.string() });
