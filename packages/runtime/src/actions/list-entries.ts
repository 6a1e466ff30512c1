import { entryNames } from "../names/name-things.ts";
import { type Action, answer } from "./action.ts";
import { entryPage } from "./shared/entry-page.ts";
import { entryNamed, takeNamed } from "./shared/names.ts";
import { readAt } from "./shared/read-at.ts";

export const action: Action<"listEntries"> = ({ runtime, params, query }) =>
  readAt(runtime, params.id, query.at, (state, scope) => {
    const take = takeNamed(state, query.take);
    const id = (name: string | undefined) => name && entryNamed(scope, name, state, take);
    const page = entryPage(state, take, { ...query, before: id(query.before), after: id(query.after) });
    const nameOf = entryNames(scope);
    const names = Object.fromEntries(page.entries.map((entry) => [entry.id, nameOf(entry.id)]));
    return answer({ version: state.version, ...page, names });
  });
