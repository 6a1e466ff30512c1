import { RequestError } from "../request-error.ts";
import type { Handlers } from "./handler.ts";

/** Routes whose work the runtime does not do yet. */
export const saveHandlers: Handlers<
  "listSnapshots" | "takeSnapshot" | "diffSnapshot" | "restoreSnapshot" | "compareTakes"
> = {
  listSnapshots: notYet,
  takeSnapshot: notYet,
  diffSnapshot: notYet,
  restoreSnapshot: notYet,
  compareTakes: notYet,
};

function notYet(): never {
  throw new RequestError(501, "not-implemented", "This cannot be done yet. Nothing was changed.");
}
