import { z } from "zod";
import { route } from "../route.ts";
import { changed, jsonObject, more, page, querySwitch } from "../wire/common.ts";
import { settings, settingsGiven } from "../wire/settings.ts";
import {
  entryMatch,
  thread,
  threadFacts,
  threadFound,
  threadListed,
  threadMade,
  threadSummary,
} from "../wire/thread.ts";
import { window, windowQuery } from "../wire/window.ts";

const workspace = { workspace: z.string().max(4096).optional() };

/** The yes to files that lie outside of the workspace and would be sent to the model. */
const outside = { outside: z.boolean().optional() };

const contextFile = z.looseObject({ path: z.string() });

/**
 * The name that commands and routes accept in the thread's directory: the title, or the id if the title is ambiguous.
 */
const named = { name: z.string() };

export const threadRoutes = {
  listThreads: route("GET", "/v1/threads", {
    summary: "Threads, the one that was changed last first; with `workspace`, only those of that directory",
    query: z.strictObject({ ...workspace, deleted: querySwitch, ...page }),
    answer: z.object({ threads: z.array(threadListed.extend(named)), ...more }),
  }),
  createThread: route("POST", "/v1/threads", {
    summary: "A new thread, in the directory the server was started in unless another is named",
    body: z.strictObject({
      title: z.string().optional(),
      /** The first prompt: a thread without a title gets one from it at once, and otherwise with its first turn. */
      prompt: z.string().optional(),
      workspace_root: z.string().max(4096).optional(),
      private: z.boolean().optional(),
    }),
    answer: threadMade,
    status: 201,
  }),
  summarizeThreads: route("GET", "/v1/threads/summary", {
    summary: "Threads with what a user chooses by: counts, the last prompt, whether a turn runs",
    query: z.strictObject({ ...workspace, ...page }),
    answer: z.object({ threads: z.array(threadSummary), ...more }),
  }),
  searchThreads: route("GET", "/v1/search", {
    summary: "Threads by what was said in them, title, tag, role, branch, commit, directory or date, the best first",
    query: z.strictObject({
      words: z.string().max(1000).optional(),
      title: z.string().max(200).optional(),
      tag: z.string().max(200).optional(),
      role: z.string().max(200).optional(),
      branch: z.string().max(300).optional(),
      commit: z.string().max(64).optional(),
      directory: z.string().max(4096).optional(),
      since: z.iso.datetime({ offset: true }).optional(),
      until: z.iso.datetime({ offset: true }).optional(),
      limit: page.limit,
    }),
    answer: z.object({ threads: z.array(threadFound.extend(named)), total: z.number().int() }),
  }),
  findInThread: route("GET", "/v1/threads/{id}/find", {
    summary:
      "Every entry of one take that contains all words, in the order of the conversation; the last may be a prefix",
    query: z.strictObject({
      q: z.string().max(1000),
      take: z.string().max(200).optional(),
      role: z.string().max(200).optional(),
      ...page,
    }),
    answer: z.object({
      matches: z.array(entryMatch),
      /** The count over all pages. */
      total: z.number().int(),
      take: z.string(),
      ...more,
    }),
  }),
  getThread: route("GET", "/v1/threads/{id}", {
    cached: "current",
    summary: "A thread with all that is known of it",
    answer: thread,
  }),
  changeThread: route("PATCH", "/v1/threads/{id}", {
    summary: "Changes title, tags or pin, or brings a deleted thread back; a title that another thread has is refused",
    body: threadFacts,
    answer: threadMade,
  }),
  deleteThread: route("DELETE", "/v1/threads/{id}", {
    summary: "Deletes a thread, softly: undo of a step brings it back. Never the last of its workspace",
    answer: z.object({
      ...changed,
      thread: z.string(),
      current: z.string().nullable(),
      still_shared: z.boolean().describe("Copies that were shared stay readable until `unshare`"),
    }),
  }),
  placeThread: route("POST", "/v1/threads/{id}/place", {
    summary: "Gives a thread whose workspace is not on this machine an empty directory, and writes its files there",
    body: z.strictObject({ directory: z.string().min(1).max(4096) }),
    answer: z.object({ thread: threadListed, directory: z.string(), files: z.number().int() }),
  }),
  switchThread: route("POST", "/v1/threads/{id}/switch", {
    summary: "Makes a thread the one that commands act on in its directory; files stay as they are",
    body: z.strictObject({ dry_run: z.boolean().optional() }),
    answer: z.object({
      ...changed,
      thread: threadListed,
      /** The thread that it was until now, with its name after the switch. */
      before: z.object({ id: z.string(), ...named }).nullable(),
    }),
  }),
  getCheckpoint: route("GET", "/v1/threads/{id}/checkpoint", {
    summary:
      "The records of a thread, now or at a point: whole, or a window of one take; and where in the events now is",
    query: z.strictObject(windowQuery),
    answer: z.object({ seq: z.string(), version: z.number().int(), checkpoint: jsonObject, window: window.optional() }),
  }),
  getSettings: route("GET", "/v1/threads/{id}/settings", {
    cached: "thread",
    summary: "The settings of the active take, or of the one named",
    query: z.strictObject({ take: z.string().max(200).optional() }),
    answer: settings,
  }),
  changeSettings: route("PATCH", "/v1/threads/{id}/settings", {
    summary:
      "Changes settings of the active take, or of the one named, all in one step; with `typing`, a burst is one step",
    body: settingsGiven.extend({ take: z.string().max(200).optional(), typing: z.boolean().optional(), ...outside }),
    answer: z.object({ ...changed, settings }),
  }),
  getRoles: route("GET", "/v1/threads/{id}/roles", {
    cached: "thread",
    summary: "Who can speak in the conversation",
    answer: z.object({ roles: z.array(z.string()) }),
  }),
  changeRoles: route("PATCH", "/v1/threads/{id}/roles", {
    summary: "Adds or removes a role",
    body: z.union([z.strictObject({ add: z.string() }), z.strictObject({ remove: z.string() })]),
    answer: z.object({ ...changed, roles: z.array(z.string()) }),
  }),
  getContext: route("GET", "/v1/threads/{id}/context", {
    cached: "thread",
    summary: "The files that the model is always shown",
    answer: z.object({ context: z.array(contextFile) }),
  }),
  changeContext: route("PATCH", "/v1/threads/{id}/context", {
    summary: "Adds or removes a context file",
    body: z.union([z.strictObject({ add: z.string().max(4096), ...outside }), z.strictObject({ remove: z.string() })]),
    answer: z.object({ ...changed, context: z.array(contextFile) }),
  }),
};
