import { z } from "zod";
import { changed, filesChanged, time } from "./common.ts";
import { entry } from "./entry.ts";
import { fileDiff } from "./snapshot.ts";

export const take = z.object({
  id: z.string(),
  name: z.string(),
  /** The name of its group (D3). */
  base_name: z.string(),
  active: z.boolean(),
  entries: z.number().int(),
});

/** A take with its place in the tree of takes. */
export const takeListed = take.extend({
  /** The take it was branched off, which may be deleted; null of the first. */
  parent: z.string().nullable(),
  /** Where it leaves its parent: the last entry they share, that entry's turn, and the operation that the branch copied. */
  branched_at: z
    .object({
      entry: z.string().nullable(),
      turn: z.string().nullable(),
      turn_name: z.string().optional(),
      op: z.string(),
    })
    .nullable(),
  created_at: time,
  /** When something was last done in it. */
  updated_at: time,
  /** The turn that runs in it. */
  running: z.string().nullable(),
});

const files = z.object(filesChanged).partial().shape;

export const takeChanged = z.object({ ...changed, take: take.optional(), ...files });

/** Conversation and files of two takes, side by side (X6). */
export const takesCompared = z.object({
  a: take,
  b: take,
  /** How many entries they begin with in common. */
  common: z.number().int(),
  /** The entries that each has of its own after that. */
  entries: z.object({ a: z.array(entry), b: z.array(entry) }),
  /** The names of those entries, by id. */
  names: z.record(z.string(), z.string()),
  /** How the files go from the first to the second. */
  files: z.array(fileDiff),
});
