import { z } from "zod";
import { route } from "../route.ts";
import { changed, more, page, querySwitch, withFiles } from "../wire/common.ts";
import { entry } from "../wire/entry.ts";
import { session } from "../wire/session.ts";
import { fileDiff, snapshot, snapshotListed } from "../wire/snapshot.ts";
import { takenBack } from "../wire/taken-back.ts";

const ofThread = { thread: z.string().max(200).optional() };

export const saveRoutes = {
  listSnapshots: route("GET", "/v1/snapshots", {
    summary: "Snapshots of the thread's workspace, newest first: 20 unless `limit` says otherwise, at most 100",
    query: z.strictObject({
      ...ofThread,
      limit: z.coerce.number().int().min(1).max(100).optional(),
      /** False leaves out the ids of trees, which may take long to compute. */
      trees: querySwitch,
    }),
    answer: z.object({ snapshots: z.array(snapshotListed) }),
  }),
  takeSnapshot: route("POST", "/v1/snapshots", {
    summary: "Captures the files now",
    query: z.strictObject(ofThread),
    body: z.strictObject({ label: z.string().max(200).optional(), thread_id: z.string().max(200).optional() }),
    answer: z.object({ ...changed, snapshot }),
    status: 201,
  }),
  diffSnapshot: route("GET", "/v1/snapshots/{id}/diff", {
    summary: "What is different on disk from a snapshot",
    query: z.strictObject({ ...ofThread, to: z.string().max(200).optional() }),
    answer: z.looseObject({ files: z.array(fileDiff) }),
  }),
  restoreSnapshot: route("POST", "/v1/snapshots/{id}/restore", {
    summary: "Puts the files of a snapshot back, in the thread that made it; undo takes that back",
    query: z.strictObject(ofThread),
    body: z.strictObject({ paths: z.array(z.string().max(4096)).min(1).max(10_000).optional(), ...withFiles }),
    answer: takenBack,
  }),
  listSessions: route("GET", "/v1/sessions", {
    summary: "The named saves",
    query: z.strictObject({ ...ofThread, ...page }),
    answer: z.object({ sessions: z.array(session), ...more }),
  }),
  saveSession: route("POST", "/v1/sessions", {
    summary: "Gives a thread's present point a name to come back to",
    body: z.strictObject({ thread_id: z.string(), session_id: z.string().optional(), title: z.string().optional() }),
    answer: z.object({ ...changed, session, replaced: session.nullable() }),
    status: 201,
  }),
  getSession: route("GET", "/v1/sessions/{id}", {
    summary: "A named save with its entries",
    answer: session.extend({ entries: z.array(entry) }),
  }),
  resumeSession: route("POST", "/v1/sessions/{id}/resume", {
    summary: "Goes on from a named save",
    body: z.strictObject({}),
    answer: z.looseObject({ ...changed, session }),
  }),
};
