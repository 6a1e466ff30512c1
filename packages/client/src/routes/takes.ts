import { z } from "zod";
import { endpoints } from "../endpoints.ts";
import { route } from "../route.ts";
import { conflictPolicy, more, page, querySwitch, withFiles } from "../wire/common.ts";
import { takeChanged, takeListed, takesCompared } from "../wire/take.ts";
import { takenBack } from "../wire/taken-back.ts";

export const takeRoutes = {
  listTakes: route(endpoints.listTakes, {
    cached: "thread",
    summary: "The takes of a thread, grouped under their base names, and where each was branched off",
    query: z.strictObject(page),
    answer: z.object({ takes: z.array(takeListed), ...more }),
  }),
  branch: route(endpoints.branch, {
    summary: "A new take with everything up to an entry or the end of a turn (`#7`), and the files as they were then",
    body: z.strictObject({ entry: z.string(), ...withFiles }),
    answer: takeChanged,
    status: 201,
  }),
  switchTake: route(endpoints.switchTake, {
    summary: "Makes another take active, with its files",
    body: z.strictObject(withFiles),
    answer: takeChanged,
  }),
  takeOver: route(endpoints.takeOver, {
    summary: "Brings files of another take into the active one: those that are named, or all",
    body: z.strictObject({ paths: z.array(z.string().max(4096)).min(1).max(10_000).optional(), ...withFiles }),
    answer: takenBack,
  }),
  promoteTake: route(endpoints.promoteTake, {
    summary: "Gives a take a name of its own at the top level",
    body: z.strictObject({ name: z.string() }),
    answer: takeChanged,
  }),
  renameTake: route(endpoints.renameTake, {
    summary: "Renames a take; a name that another has is refused",
    body: z.strictObject({ name: z.string() }),
    answer: takeChanged,
  }),
  deleteTake: route(endpoints.deleteTake, {
    summary: "Deletes a take, softly; never the last one",
    query: z.strictObject({ dry_run: querySwitch, on_conflict: conflictPolicy.optional() }),
    answer: takeChanged,
  }),
  compareTakes: route(endpoints.compareTakes, {
    summary: "Conversation and files of two takes, side by side",
    answer: takesCompared,
  }),
};
