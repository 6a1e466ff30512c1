import { z } from "zod";
import { route } from "../route.ts";
import { page, querySwitch, withFiles } from "../wire/common.ts";
import { history, operationShown } from "../wire/operation.ts";
import { patchUndone, sessionUndone, takenBack } from "../wire/taken-back.ts";

const count = z.number().int().min(1).max(1_000_000_000);
const paths = { paths: z.array(z.string().max(4096)).min(1).max(10_000).optional() };

const undone = z.strictObject({
  turns: count.optional(),
  /** `depth: d` means `turns: d + 1`. */
  depth: z.number().int().min(0).max(1_000_000).optional(),
  /** Instead of turns: the last steps of any kind, as Ctrl+Z takes them back. */
  steps: count.optional(),
  scope: z.enum(["both", "conversation", "files"]).optional(),
  keep_prompt: z.boolean().optional(),
  ...withFiles,
  ...paths,
});

export const historyRoutes = {
  undo: route({
    method: "POST",
    path: "/v1/threads/{id}/undo",
    summary: "Takes back turns: their entries and their file changes, together",
    body: undone,
    answer: takenBack,
  }),
  patchUndo: route({
    method: "POST",
    path: "/v1/threads/{id}/patch-undo",
    summary: "Undo of conversation and files, with a summary of the files",
    body: undone.omit({ scope: true }),
    answer: patchUndone,
  }),
  redo: route({
    method: "POST",
    path: "/v1/threads/{id}/redo",
    summary: "Brings back what the last undo took",
    body: z.strictObject({ turns: count.optional(), ...withFiles }),
    answer: takenBack,
  }),
  jump: route({
    method: "POST",
    path: "/v1/threads/{id}/jump",
    summary: "Goes to any point of the history, also one that was undone",
    body: z.strictObject({ op: z.string(), ...withFiles }),
    answer: takenBack,
  }),
  revert: route({
    method: "POST",
    path: "/v1/threads/{id}/revert",
    summary: "Takes back one operation, turn or tool call in the middle and keeps what came later",
    body: z.strictObject({
      op: z.string().optional(),
      turn: z.string().optional(),
      call: z.string().optional(),
      hunks: z.array(z.strictObject({ path: z.string(), edits: z.array(z.number().int().min(0)) })).optional(),
      ...paths,
      ...withFiles,
    }),
    answer: takenBack,
  }),
  getHistory: route({
    method: "GET",
    path: "/v1/threads/{id}/history",
    summary: "What happened, newest first; with `all`, every operation of all takes",
    query: z.strictObject({ all: querySwitch, ...page }),
    answer: history,
  }),
  getOperation: route({
    method: "GET",
    path: "/v1/threads/{id}/history/{op}",
    summary: "What one operation did",
    answer: operationShown,
  }),
  undoSession: route({
    method: "POST",
    path: "/session/{id}/undo",
    summary: "Undo as other runtimes have it: takes back turns, but never the first",
    body: z.strictObject({ count: count.optional() }),
    answer: sessionUndone,
  }),
};
