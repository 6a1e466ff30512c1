import { z } from "zod";
import { route } from "../route.ts";
import { changed, jsonObject } from "../wire/common.ts";
import { entry, entryInput } from "../wire/entry.ts";

/** S10. They act on the thread that is named, or on the one that the server's directory stands at. */
const ofThread = z.strictObject({ thread: z.string().max(200).optional() });

export const hookRoutes = {
  getHookSession: route("GET", "/api/session", {
    summary: "The conversation, for programs",
    query: ofThread,
    answer: z.object({ session: z.object({ thread_id: z.string(), entries: z.array(entry) }) }),
  }),
  replaceHookSession: route("POST", "/api/session", {
    summary: "Replaces the conversation, in one step that can be undone",
    query: ofThread,
    body: z.strictObject({ session: z.looseObject({ entries: z.array(entryInput) }) }),
    answer: z.object({ ...changed, session: z.object({ thread_id: z.string(), entries: z.array(entry) }) }),
  }),
  getState: route("GET", "/api/state", {
    summary: "Every public field of the state",
    query: ofThread,
    answer: jsonObject,
  }),
  getStateField: route("GET", "/api/state/{field}", {
    summary: "One public field of the state",
    query: ofThread,
    answer: jsonObject,
  }),
  runAction: route("POST", "/api/actions/{name}", {
    summary: "Does what the route of that name does, with the same body, and answers the same",
    query: ofThread,
    body: jsonObject,
    answer: z.looseObject(changed),
  }),
};
