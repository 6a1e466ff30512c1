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
  type TakeBackOptions,
  takeJson,
  type Workspace,
} from "@retake/runtime";
import type { EntryJson } from "./entry-page.ts";
import { answer, type Handlers } from "./handler.ts";
import { optionsOf, type TakeBackAsked } from "./history-handlers.ts";
import { cursorOf, pageOf } from "./page.ts";

export const takeHandlers: Handlers<
  "listTakes" | "branch" | "switchTake" | "promoteTake" | "renameTake" | "deleteTake" | "compareTakes"
> = {
  listTakes: ({ runtime, params, query }) =>
    runtime.read(params.id, ({ state }) => {
      const all = liveTakes(state).map((take) => takeJson(state, take));
      all.sort((a, b) => compare(a.base_name, b.base_name) || a.name.localeCompare(b.name, "en", { numeric: true }));
      const page = pageOf(all, ({ id }) => id, query);
      return answer({ takes: page.items, ...cursorOf(page) });
    }),

  branch(asked) {
    const { runtime, params, body } = asked;
    const take = runtime.store.identity.id();
    return withFiles(asked, params.id, take, (workspace, options) =>
      workspace.changeWithFiles(
        params.id,
        (history, context) => branch(history, context, { entry: body.entry, take }),
        options,
      ),
    );
  },

  switchTake: (asked) =>
    withFiles(asked, asked.params.id, asked.params.take, (workspace, options) =>
      workspace.changeWithFiles(
        asked.params.id,
        ({ state }, context) => switchTake(state, context, { take: asked.params.take }),
        options,
      ),
    ),

  promoteTake: ({ runtime, params, body, change }) =>
    runtime.change(
      params.id,
      (state, context) => promoteTake(state, context, { take: params.take, name: body.name }),
      change,
      told(params.take),
    ),

  renameTake: ({ runtime, params, body, change }) =>
    runtime.change(
      params.id,
      (state, context) => renameTake(state, context, { take: params.take, name: body.name }),
      change,
      told(params.take),
    ),

  deleteTake: (asked) =>
    withFiles({ ...asked, body: {} }, asked.params.id, asked.params.take, (workspace, options) =>
      workspace.changeWithFiles(
        asked.params.id,
        ({ state }, context) => deleteTake(state, context, { take: asked.params.take }),
        options,
      ),
    ),

  compareTakes: ({ runtime, params }) =>
    runtime.inWorkspace(params.id, async (workspace) => {
      const [a, b] = runtime.read(
        params.id,
        ({ state }) => [liveTake(state, params.a), liveTake(state, params.b)] as const,
      );
      if (!a || !b) return refuse("not-found", "There is no such take in this thread.");
      const compared = await compareTakes(workspace, params.id, a, b);
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
function withFiles(
  asked: TakeBackAsked,
  thread: string,
  take: string,
  change: (workspace: Workspace, options: TakeBackOptions) => Promise<ChangedWithFiles>,
) {
  const options = optionsOf(asked, thread);
  return asked.runtime.work(thread, async (workspace) =>
    changedWithFilesOutcome(workspace.store, thread, await change(workspace, options), told(take)),
  );
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
