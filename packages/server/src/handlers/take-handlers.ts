import {
  branch,
  deleteTake,
  liveTakes,
  promoteTake,
  refuse,
  renameTake,
  type State,
  switchTake,
  type Take,
  takeById,
} from "@retake/core";
import {
  type ChangedWithFiles,
  type ComparedTakes,
  changedWithFilesOutcome,
  compareTakes,
  type Host,
  type Retake,
  takeJson,
} from "@retake/runtime";
import type { EntryJson } from "./entry-handlers.ts";
import { answer, type Handlers } from "./handler.ts";
import { optionsOf } from "./history-handlers.ts";
import { cursorOf, pageOf } from "./page.ts";

export const takeHandlers: Handlers<
  "listTakes" | "branch" | "switchTake" | "promoteTake" | "renameTake" | "deleteTake" | "compareTakes"
> = {
  listTakes: ({ host, params, query }) =>
    host.read(params.id, ({ state }) => {
      const all = liveTakes(state).map((take) => takeJson(state, take));
      all.sort((a, b) => compare(a.base_name, b.base_name) || a.name.localeCompare(b.name, "en", { numeric: true }));
      const page = pageOf(all, ({ id }) => id, query);
      return answer({ takes: page.items, ...cursorOf(page) });
    }),

  branch({ host, params, body, change }) {
    const take = host.home.identity.id();
    return withFiles(host, params.id, take, (retake) =>
      retake.changeWithFiles(
        params.id,
        ({ state }, context) => branch(state, context, { entry: body.entry, take }),
        optionsOf(body, change),
      ),
    );
  },

  switchTake: ({ host, params, body, change }) =>
    withFiles(host, params.id, params.take, (retake) =>
      retake.changeWithFiles(
        params.id,
        ({ state }, context) => switchTake(state, context, { take: params.take }),
        optionsOf(body, change),
      ),
    ),

  promoteTake: ({ host, params, body, change }) =>
    host.change(
      params.id,
      (state, context) => promoteTake(state, context, { take: params.take, name: body.name }),
      change,
      told(params.take),
    ),

  renameTake: ({ host, params, body, change }) =>
    host.change(
      params.id,
      (state, context) => renameTake(state, context, { take: params.take, name: body.name }),
      change,
      told(params.take),
    ),

  deleteTake: ({ host, params, change }) =>
    withFiles(host, params.id, params.take, (retake) =>
      retake.changeWithFiles(
        params.id,
        ({ state }, context) => deleteTake(state, context, { take: params.take }),
        change,
      ),
    ),

  compareTakes: ({ host, params }) =>
    host.inWorkspace(params.id, async (retake) => {
      const [a, b] = host.read(
        params.id,
        ({ state }) => [liveTake(state, params.a), liveTake(state, params.b)] as const,
      );
      if (!a || !b) return refuse("not-found", "There is no such take in this thread.");
      const compared = await compareTakes(retake, params.id, a, b);
      return answer(
        compared as ComparedTakes & { readonly entries: { a: readonly EntryJson[]; b: readonly EntryJson[] } },
      );
    }),
};

function liveTake(state: State, id: string): Take | undefined {
  const take = takeById(state, id);
  return take?.deleted ? undefined : take;
}

/** A change that the files of the thread's workspace follow. */
function withFiles(host: Host, thread: string, take: string, change: (retake: Retake) => Promise<ChangedWithFiles>) {
  return host.work(thread, async (retake) => changedWithFilesOutcome(retake, thread, await change(retake), told(take)));
}

function told(id: string): (state: State) => { take?: ReturnType<typeof takeJson> } {
  return (state) => {
    const take = takeById(state, id);
    return take ? { take: takeJson(state, take) } : {};
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
