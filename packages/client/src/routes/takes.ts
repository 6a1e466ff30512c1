import { z } from "zod";
import { route } from "../route.ts";
import { chosenHunks, more, page, withFiles } from "../wire/common.ts";
import { takeChanged, takeListed, takesCompared } from "../wire/take.ts";
import { takenBack } from "../wire/taken-back.ts";

export const takeRoutes = {
  listTakes: route("GET", "/v1/threads/{id}/takes", {
    cached: "thread",
    summary: "The takes of a thread, grouped under their base names, and where each was branched off",
    query: z.strictObject(page),
    answer: z.object({ takes: z.array(takeListed), ...more }),
  }),
  branch: route("POST", "/v1/threads/{id}/takes", {
    summary: "A new take with everything up to an entry or the end of a turn (`#7`), and the files as they were then",
    body: z.strictObject({
      entry: z.string(),
      /** Another text of the entry in the new take; the take that is left keeps its own. */
      content: z.string().optional(),
      ...withFiles,
    }),
    answer: takeChanged,
    status: 201,
  }),
  switchTake: route("POST", "/v1/threads/{id}/takes/{take}/switch", {
    summary: "Makes another take active, with its files",
    body: z.strictObject(withFiles),
    answer: takeChanged,
  }),
  takeOver: route("POST", "/v1/threads/{id}/takes/{take}/take-over", {
    summary:
      "Brings files of another take into the active one: those that are named, hunks of them (as `compare` of that take with the active one numbers them), or all",
    body: z.strictObject({
      paths: z.array(z.string().max(4096)).min(1).max(10_000).optional(),
      ...chosenHunks,
      ...withFiles,
    }),
    answer: takenBack,
  }),
  promoteTake: route("POST", "/v1/threads/{id}/takes/{take}/promote", {
    summary: "Gives a take a name of its own at the top level",
    body: z.strictObject({ name: z.string() }),
    answer: takeChanged,
  }),
  renameTake: route("PATCH", "/v1/threads/{id}/takes/{take}", {
    summary: "Renames a take; a name that another has is refused",
    body: z.strictObject({ name: z.string() }),
    answer: takeChanged,
  }),
  deleteTake: route("DELETE", "/v1/threads/{id}/takes/{take}", {
    summary:
      "Deletes a take, softly; never the last one. Another one becomes active, with its files, where it was the active one",
    body: z.strictObject(withFiles),
    answer: takeChanged,
  }),
  compareTakes: route("GET", "/v1/threads/{id}/takes/{a}/compare/{b}", {
    summary: "Conversation and files of two takes, side by side",
    answer: takesCompared,
  }),
};
