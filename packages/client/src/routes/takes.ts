import { z } from "zod";
import { route } from "../route.ts";
import { more, page, withFiles } from "../wire/common.ts";
import { take, takeChanged, takesCompared } from "../wire/take.ts";

export const takeRoutes = {
  listTakes: route({
    method: "GET",
    path: "/v1/threads/{id}/takes",
    summary: "The takes of a thread, grouped under their base names",
    query: z.strictObject(page),
    answer: z.object({ takes: z.array(take), ...more }),
  }),
  branch: route({
    method: "POST",
    path: "/v1/threads/{id}/takes",
    summary: "A new take with everything up to an entry, and the files as they were then",
    body: z.strictObject({ entry: z.string(), ...withFiles }),
    answer: takeChanged,
    status: 201,
  }),
  switchTake: route({
    method: "POST",
    path: "/v1/threads/{id}/takes/{take}/switch",
    summary: "Makes another take active, with its files",
    body: z.strictObject(withFiles),
    answer: takeChanged,
  }),
  promoteTake: route({
    method: "POST",
    path: "/v1/threads/{id}/takes/{take}/promote",
    summary: "Gives a take a name of its own at the top level",
    body: z.strictObject({ name: z.string() }),
    answer: takeChanged,
  }),
  renameTake: route({
    method: "PATCH",
    path: "/v1/threads/{id}/takes/{take}",
    summary: "Renames a take; a name that another has is refused",
    body: z.strictObject({ name: z.string() }),
    answer: takeChanged,
  }),
  deleteTake: route({
    method: "DELETE",
    path: "/v1/threads/{id}/takes/{take}",
    summary: "Deletes a take, softly; never the last one",
    answer: takeChanged,
  }),
  compareTakes: route({
    method: "GET",
    path: "/v1/threads/{id}/takes/{a}/compare/{b}",
    summary: "Conversation and files of two takes, side by side",
    answer: takesCompared,
  }),
};
