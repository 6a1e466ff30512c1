import { z } from "zod";
import { route } from "../route.ts";
import { at, chosenHunks, more, page, querySwitch, withFiles } from "../wire/common.ts";
import { history, operationShown } from "../wire/operation.ts";
import { blamedLines, blamedTurn, fileContent, fileDiff } from "../wire/snapshot.ts";
import { patchUndone, sessionUndone, takenBack } from "../wire/taken-back.ts";

const count = z.number().int().min(1).max(1_000_000_000);
const paths = { paths: z.array(z.string().max(4096)).min(1).max(10_000).optional() };

const undone = z.strictObject({
  turns: count.optional(),
  /** `depth: d` means `turns: d + 1`. */
  depth: z.number().int().min(0).max(1_000_000).optional(),
  /** Instead of turns: the last steps of any kind, as Ctrl+Z takes them back. */
  steps: count.optional(),
  /** Instead of turns: back to before this turn. It is taken back, and so is every turn and change of the whole thread after it. */
  to: z.string().optional(),
  scope: z.enum(["both", "conversation", "files"]).optional(),
  keep_prompt: z.boolean().optional(),
  ...withFiles,
  ...paths,
});

export const historyRoutes = {
  undo: route("POST", "/v1/threads/{id}/undo", {
    summary: "Takes back turns: their entries and their file changes, together",
    body: undone,
    answer: takenBack,
  }),
  patchUndo: route("POST", "/v1/threads/{id}/patch-undo", {
    summary: "Undo of conversation and files, with a summary of the files",
    body: undone.omit({ scope: true }),
    answer: patchUndone,
  }),
  redo: route("POST", "/v1/threads/{id}/redo", {
    summary: "Brings back what the last `count` undos took",
    body: z.strictObject({ count: count.optional(), ...withFiles }),
    answer: takenBack,
  }),
  jump: route("POST", "/v1/threads/{id}/jump", {
    summary:
      "Goes to any point of the history, also one that was undone: `op` is a turn (`#7`, `#7^`) or an operation, by name or id",
    body: z.strictObject({ op: z.string(), ...withFiles }),
    answer: takenBack,
  }),
  revert: route("POST", "/v1/threads/{id}/revert", {
    summary:
      "Takes back one operation, turn (`#7`), tool call (`#7.2.1`) or several turns (`turn` to `until`) in the middle and keeps what came later",
    body: z.strictObject({
      op: z.string().optional(),
      turn: z.string().optional(),
      /** With `turn`: the last of several turns. */
      until: z.string().optional(),
      call: z.string().optional(),
      ...chosenHunks,
      ...paths,
      ...withFiles,
    }),
    answer: takenBack,
  }),
  getHistory: route("GET", "/v1/threads/{id}/history", {
    cached: "thread",
    summary: "What happened, newest first; with `all`, every operation of all takes",
    query: z.strictObject({ all: querySwitch, files: querySwitch, ...page }),
    answer: history,
  }),
  getOperation: route("GET", "/v1/threads/{id}/history/{op}", {
    summary: "What one operation, or the turn that `op` names, did",
    answer: operationShown,
  }),
  diffThread: route("GET", "/v1/threads/{id}/diff", {
    summary:
      "How the files went from one point to another, or to those on disk now: names and counts, hunks where asked",
    query: z.strictObject({
      /** Points, snapshots, `now`, or `last-turn`: the files that the last turn found. Without `from`, what the last operation left; without `to`, what is on disk. */
      from: z.string().max(200).optional(),
      to: z.string().max(200).optional(),
      /** Only this file, or the files in this directory. */
      path: z.string().max(4096).optional(),
      hunks: querySwitch,
      ...page,
    }),
    answer: z.object({ files: z.array(fileDiff), total: z.number().int(), ...more }),
  }),
  readFile: route("GET", "/v1/threads/{id}/files", {
    summary: "One file's content at a point, in a snapshot, or on disk now; of a large one, a part",
    query: z.strictObject({
      path: z.string().min(1).max(4096),
      ...at,
      offset: z.coerce.number().int().min(0).optional(),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(4 * 1024 * 1024)
        .optional(),
    }),
    answer: fileContent,
  }),
  blameFile: route("GET", "/v1/threads/{id}/blame", {
    summary: "Which turn wrote each line of a file, as it is now or was at a point",
    query: z.strictObject({ path: z.string().min(1).max(4096), ...at }),
    answer: z.object({ path: z.string(), lines: z.array(blamedLines), turns: z.array(blamedTurn) }),
  }),
  listFiles: route("GET", "/v1/threads/{id}/tree", {
    summary: "Paths of the workspace's files at a point, in a snapshot or on disk now; with `q`, those that contain it",
    query: z.strictObject({ ...at, q: z.string().max(1000).optional(), ...page }),
    answer: z.object({
      files: z.array(
        z.object({ path: z.string(), kind: z.enum(["file", "link", "directory"]), size: z.number().int().optional() }),
      ),
      total: z.number().int(),
      ...more,
    }),
  }),
  materialize: route("POST", "/v1/threads/{id}/materialize", {
    summary: "Writes the files of a point or a snapshot into another directory, which must be new or empty",
    body: z.strictObject({ at: z.string().max(200), directory: z.string().min(1).max(4096) }),
    answer: z.object({ directory: z.string(), files: z.number().int() }),
  }),
  undoSession: route("POST", "/session/{id}/undo", {
    summary: "Undo as other runtimes have it: takes back turns, but never the first",
    body: z.strictObject({ count: count.optional() }),
    answer: sessionUndone,
  }),
};
