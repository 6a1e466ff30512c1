import { z } from "zod";
import { route } from "../route.ts";
import { at, changed, jsonObject, last, more, page, querySwitch } from "../wire/common.ts";
import { entry, entryChanged, entryInput } from "../wire/entry.ts";

/** With `effects`, the answer says what the change breaks for the model; with `dry_run` too, only that. */
const asking = z.strictObject({ effects: querySwitch, dry_run: querySwitch });

export const entryRoutes = {
  listEntries: route("GET", "/v1/threads/{id}/entries", {
    cached: "thread",
    summary: "The conversation of the active take, or of the one named, now or at a point; whole, or in pages",
    query: z.strictObject({
      role: z.string().max(200).optional(),
      take: z.string().max(200).optional(),
      ...at,
      /** The entries right before one, or right after it; `limit` of them. */
      before: z.string().max(300).optional(),
      after: z.string().max(300).optional(),
      ...last,
      ...page,
    }),
    answer: z.object({
      entries: z.array(entry),
      /** Their names, by id; not in the entries, because an entry may have a key `name` of its own. */
      names: z.record(z.string(), z.string()),
      version: z.number().int(),
      /** Whether the conversation has entries before and after these. */
      more_before: z.boolean(),
      more_after: z.boolean(),
      ...more,
    }),
  }),
  addEntry: route("POST", "/v1/threads/{id}/entries", {
    summary: "A new entry: before another, at an index, or at the end",
    query: asking,
    body: entryInput.extend({ before: z.string().optional(), index: z.number().int().min(0).optional() }),
    answer: entryChanged,
    status: 201,
  }),
  replaceEntries: route("PUT", "/v1/threads/{id}/entries", {
    summary: "Makes the conversation what the list says, in one step",
    body: z.strictObject({ entries: z.array(entryInput) }),
    answer: z.object({ ...changed, entries: z.array(entry) }),
  }),
  getEntry: route("GET", "/v1/threads/{id}/entries/{entry}", {
    cached: "thread",
    summary: "One entry",
    answer: entry,
  }),
  editEntry: route("PATCH", "/v1/threads/{id}/entries/{entry}", {
    summary: "Changes fields of an entry; null takes an open key away; with `typing`, a burst of edits is one step",
    query: asking,
    body: z.looseObject({
      role: z.string().optional(),
      content: z.string().optional(),
      typing: z.boolean().optional(),
    }),
    answer: entryChanged,
  }),
  removeEntry: route("DELETE", "/v1/threads/{id}/entries/{entry}", {
    summary: "Removes an entry",
    query: asking,
    answer: entryChanged,
  }),
  showEntries: route("POST", "/v1/threads/{id}/show", {
    summary: "Collapses or expands all entries of the active take, in one step",
    body: z.strictObject({ collapsed: z.boolean() }),
    answer: z.object(changed),
  }),
  truncate: route("POST", "/v1/threads/{id}/truncate", {
    summary: "Keeps the last pairs of prompt and answer",
    body: z.strictObject({ pairs: z.number() }),
    answer: z.object(changed),
  }),
  compress: route("POST", "/v1/threads/{id}/compress", {
    summary: "Puts a summary by the model in the place of all but the last prompts and answers",
    body: z.strictObject({ model: z.string().max(200).optional(), keep: z.number().int().min(0).optional() }),
    answer: z.object({ ...changed, summary: z.string().optional(), usage: jsonObject.optional() }),
  }),
  clear: route("POST", "/v1/threads/{id}/clear", {
    summary: "Removes all entries of the active take",
    body: z.strictObject({}),
    answer: z.object(changed),
  }),
  reset: route("POST", "/v1/threads/{id}/reset", {
    summary: "Clears conversation, settings and lists of all takes; one undo brings everything back",
    body: z.strictObject({}),
    answer: z.object(changed),
  }),
};
