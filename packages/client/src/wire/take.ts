import { z } from "zod";
import { changed, filesChanged } from "./common.ts";
import { entry } from "./entry.ts";
import { fileDiff } from "./snapshot.ts";

export const take = z.object({
  id: z.string(),
  name: z.string(),
  /** What it is grouped under (D3). */
  base_name: z.string(),
  active: z.boolean(),
  entries: z.number().int(),
});

const files = z.object(filesChanged).partial().shape;

export const takeChanged = z.object({ ...changed, take: take.optional(), ...files });

/** Conversation and files of two takes, side by side (X6). */
export const takesCompared = z.object({
  a: take,
  b: take,
  /** How many entries they begin with in common. */
  common: z.number().int(),
  /** What each has of its own behind that. */
  entries: z.object({ a: z.array(entry), b: z.array(entry) }),
  /** What those are called, by their ids. */
  names: z.record(z.string(), z.string()),
  /** How the files go from the first to the second. */
  files: z.array(fileDiff),
});
