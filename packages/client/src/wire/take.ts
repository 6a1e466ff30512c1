import { z } from "zod";
import { changed, filesChanged, jsonObject } from "./common.ts";

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
export const takesCompared = jsonObject;
