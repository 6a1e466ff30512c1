import { activeTake, refuse, takeById } from "@retake/core";
import { type Action, answer } from "./action.ts";
import { entryPage } from "./shared/entry-page.ts";
import { readAt } from "./shared/read-at.ts";

export const action: Action<"listEntries"> = ({ runtime, params, query }) =>
  readAt(runtime, params.id, query.at, (state) => {
    const take = query.take ?? activeTake(state);
    if (!takeById(state, take)) return refuse("not-found", `There is no take ${take} in this thread.`);
    return answer({ version: state.version, ...entryPage(state, take, query) });
  });
