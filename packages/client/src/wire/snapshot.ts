import { z } from "zod";
import { hunk, time } from "./common.ts";
import { captureReceipt } from "./receipt.ts";

export const snapshot = z.looseObject({
  id: z.string(),
  op_id: z.string(),
  label: z.string(),
  kind: z.enum(["pre-turn", "tool", "post-turn", "pre-restore", "manual"]),
  /** The git tree id, in SHA-256 format. */
  tree: z.string(),
  thread_id: z.string(),
  turn_id: z.string().nullable(),
  created_at: time,
  files: z.number().int(),
  bytes: z.number().int(),
  /** The coverage of the capture; present when the snapshot is taken. */
  receipt: captureReceipt.optional(),
});

/** In a list; without its tree where that was not wanted. */
export const snapshotListed = snapshot.extend({
  /** The beginning of its id that no other of the workspace has; taken wherever a snapshot is. */
  name: z.string(),
  tree: z.string().nullable(),
});

export const fileDiff = z.object({
  path: z.string(),
  status: z.string(),
  old_path: z.string().optional(),
  old_mode: z.string().optional(),
  new_mode: z.string().optional(),
  /** Names the two contents: it is another one where the change is another one. */
  change: z.string(),
  /** Not text, or too large to be compared line by line. */
  binary: z.boolean().optional(),
  additions: z.number().int(),
  deletions: z.number().int(),
  hunks: z.array(hunk).optional(),
});

/** A file, or a part of one. The content of a link is where it leads. */
export const fileContent = z.object({
  path: z.string(),
  kind: z.enum(["file", "link"]),
  /** The size of the whole file, in bytes. */
  size: z.number().int(),
  executable: z.boolean(),
  /** Where the part begins, in bytes, and whether more follows it. */
  offset: z.number().int(),
  more: z.boolean(),
  /** `base64` where the part is not UTF-8. */
  encoding: z.enum(["utf8", "base64"]),
  content: z.string(),
});

/** Lines of a file that follow each other and were written by one turn, between turns, or before them. */
export const blamedLines = z.object({
  /** The number of the first, from 1. */
  start: z.number().int(),
  lines: z.number().int(),
  /**
   * `between`: the user, another thread, or a restore that merged. `before`: they are older than the thread, or than the files
   * that are kept.
   */
  by: z.enum(["turn", "between", "before"]),
  turn_id: z.string().optional(),
  turn_name: z.string().optional(),
});

/** A turn that wrote lines of a file. */
export const blamedTurn = z.object({
  id: z.string(),
  name: z.string(),
  /** Its first words. */
  prompt: z.string(),
});
