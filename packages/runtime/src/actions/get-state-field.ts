import { STATE_FIELDS } from "../answers/state-fields.ts";
import { ActionError } from "../host/action-error.ts";
import { type Action, answer } from "./action.ts";
import { threadFor } from "./shared/thread-for.ts";

export const action: Action<"getStateField"> = async ({ runtime, root, params, query }) => {
  const id = await threadFor(runtime, root, query.thread);
  const read = Object.hasOwn(STATE_FIELDS, params.field) ? STATE_FIELDS[params.field] : undefined;
  if (!read)
    throw new ActionError("not-found", `There is no field ${params.field}: ${Object.keys(STATE_FIELDS).join(", ")}.`);
  return answer({ [params.field]: runtime.read(id, read) });
};
