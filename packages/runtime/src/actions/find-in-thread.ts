import { entryById, type JsonObject } from "@retake/core";
import { entryNames } from "../names/name-things.ts";
import { findInTake } from "../search/find-in-take.ts";
import { searchQuery } from "../search/search-query.ts";
import { snippetOf } from "../search/snippet.ts";
import { searchedText } from "../store/search-index.ts";
import { type Action, answer } from "./action.ts";
import { takeNamed } from "./shared/names.ts";
import { cursorOf, pageOf } from "./shared/page.ts";

export const action: Action<"findInThread"> = async ({ runtime, params, query }) => {
  const { id } = runtime.thread(params.id);
  const take = runtime.read(id, ({ state }) => takeNamed(state, query.take));
  const call = { thread: id, take, words: query.q, role: query.role };
  const found = await findInTake(runtime.store.partOf(id), call);
  const page = pageOf(found, (each) => each.id, query);
  const words = searchQuery(query.q);
  return runtime.store.names(id, (scope) => {
    const name = entryNames(scope);
    const matches = page.items.flatMap(({ id: entry, place }) => {
      // It may have been removed meanwhile.
      const value = entryById(scope.history.state, take, entry);
      if (!value) return [];
      const { role, ts, turn_id } = value;
      const found = snippetOf(searchedText(value as JsonObject), words);
      return [{ id: entry, name: name(entry), order: place, role, ts, turn_id, ...found }];
    });
    return answer({ matches, total: found.length, take, ...cursorOf(page) });
  });
};
