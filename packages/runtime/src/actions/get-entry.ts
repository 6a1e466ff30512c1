import { activeTake, entryById, refuse } from "@retake/core";
import { entryJson } from "../answers/entry-json.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"getEntry"> = ({ runtime, params }) =>
  runtime.read(params.id, ({ state }) => {
    const entry = entryById(state, activeTake(state), params.entry);
    if (!entry) return refuse("not-found", `There is no entry ${params.entry} in the active take.`);
    return answer(entryJson(entry));
  });
