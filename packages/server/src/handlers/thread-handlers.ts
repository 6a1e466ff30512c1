import {
  activeTake,
  addPath,
  addRole,
  changeSetting,
  changeSettings,
  checkpointFormat,
  cutWindow,
  encode,
  isRefusal,
  pathsIn,
  removePath,
  removeRole,
  roles,
  type SettingField,
  type Settings,
  type State,
  settings,
} from "@retake/core";
import {
  changedOutcome,
  changeThreadFacts,
  deleteThread,
  foundThreadsJson,
  type Runtime,
  searchStore,
  threadAnswer,
  threadJson,
} from "@retake/runtime";
import { existingDirectory } from "./existing-directory.ts";
import { answer, type Handlers } from "./handler.ts";
import { cursorOf, pageOf } from "./page.ts";
import { readAt } from "./state-at.ts";
import { windowAsked } from "./window-asked.ts";

export const threadHandlers: Handlers<
  | "listThreads"
  | "createThread"
  | "summarizeThreads"
  | "searchThreads"
  | "getThread"
  | "changeThread"
  | "deleteThread"
  | "getCheckpoint"
  | "getSettings"
  | "changeSettings"
  | "getRoles"
  | "changeRoles"
  | "getContext"
  | "changeContext"
> = {
  listThreads({ runtime, query }) {
    const all = runtime.threads(query.workspace && existingDirectory(query.workspace), query.deleted ?? false);
    const page = pageOf(all, ({ id }) => id, query);
    const current = currentOf(runtime);
    const threads = page.items.map((thread) => threadJson(thread, current(thread.workspace_root)));
    return answer({ threads, ...cursorOf(page) });
  },

  async createThread({ runtime, root, body, signal }) {
    const { title, private: isPrivate } = body;
    const made = await runtime.newThread(existingDirectory(body.workspace_root ?? root), {
      ...(title === undefined ? {} : { title }),
      private: isPrivate ?? false,
      signal,
    });
    if (typeof made !== "string") return made;
    const thread = theThread(runtime, made);
    return answer({ op_id: thread.head, version: thread.version, thread });
  },

  summarizeThreads({ runtime, query }) {
    const page = pageOf(runtime.threads(query.workspace && existingDirectory(query.workspace)), ({ id }) => id, query);
    const current = currentOf(runtime);
    const threads = page.items.map((thread) => ({
      ...runtime.summary(thread),
      ...threadJson(thread, current(thread.workspace_root)),
    }));
    return answer({ threads, ...cursorOf(page) });
  },

  async searchThreads({ runtime, root, query }) {
    const { limit, since, until, ...given } = query;
    const request = {
      ...defined(given),
      ...(since === undefined ? {} : { since: Date.parse(since) }),
      ...(until === undefined ? {} : { until: Date.parse(until) }),
    };
    const { threads } = await searchStore(runtime.store, request, limit);
    return answer({ threads: foundThreadsJson(threads, runtime.current(root)?.id) });
  },

  getThread: ({ runtime, params }) => answer(theThread(runtime, params.id)),

  changeThread: ({ runtime, params, body, change }) =>
    runtime.inWorkspace(params.id, (workspace) => {
      const facts = defined(body);
      const done = changeThreadFacts(workspace, params.id, facts, change);
      return changedOutcome(workspace.store, params.id, done, () => ({ thread: theThread(runtime, params.id) }));
    }),

  deleteThread: ({ runtime, params, change }) =>
    runtime.inWorkspace(params.id, (workspace) => {
      const done = deleteThread(workspace, runtime.thread(params.id), change);
      return changedOutcome(workspace.store, params.id, done, () => ({
        thread: params.id,
        current: workspace.currentThread()?.id ?? null,
      }));
    }),

  getCheckpoint({ runtime, params, query }) {
    // Before the state: what is committed in between is told again, and nothing is missed.
    const seq = runtime.feed.cursor();
    const { at, take } = query;
    const asked = windowAsked(query);
    return readAt(runtime, params.id, at, (state) => {
      const { version } = state;
      if (!asked) return answer({ seq, version, checkpoint: encode(checkpointFormat, state) });
      const cut = cutWindow(state, asked, take);
      if (isRefusal(cut)) return cut;
      const { state: held, ...window } = cut;
      return answer({ seq, version, checkpoint: encode(checkpointFormat, held), window });
    });
  },

  getSettings: ({ runtime, params }) => answer(runtime.read(params.id, ({ state }) => settingsOf(state))),

  changeSettings: ({ runtime, params, body, change }) =>
    runtime.change(
      params.id,
      (state, context) => {
        const { typing, files: file, context_files, screenshots: screenshot, ...given } = body;
        const lists = defined({ file, context: context_files, screenshot });
        const values = defined(given);
        const [field, ...others] = Object.keys(values) as SettingField[];
        // A single field is a step that typing can go on in.
        if (field !== undefined && others.length === 0 && Object.keys(lists).length === 0)
          return changeSetting(state, context, { field, value: values[field] as never, typing: typing === true });
        return changeSettings(state, context, { settings: values as Partial<Settings>, lists: lists as Lists });
      },
      change,
      (state) => ({ settings: settingsOf(state) }),
    ),

  getRoles: ({ runtime, params }) => answer(runtime.read(params.id, ({ state }) => rolesOf(state))),

  changeRoles: ({ runtime, params, body, change }) =>
    runtime.change(
      params.id,
      (state, context) =>
        "add" in body ? addRole(state, context, { role: body.add }) : removeRole(state, context, { role: body.remove }),
      change,
      rolesOf,
    ),

  getContext: ({ runtime, params }) => answer(runtime.read(params.id, ({ state }) => contextOf(state))),

  changeContext: ({ runtime, params, body, change }) =>
    runtime.change(
      params.id,
      (state, context) =>
        "add" in body
          ? addPath(state, context, { list: "context", member: { path: body.add } })
          : removePath(state, context, { list: "context", path: body.remove }),
      change,
      contextOf,
    ),
};

function theThread(runtime: Runtime, id: string) {
  const thread = runtime.thread(id);
  const current = runtime.current(thread.workspace_root)?.id;
  return runtime.read(id, (history) => threadAnswer(history, thread, current)) as never as ThreadJson;
}

type ThreadJson = ReturnType<typeof threadAnswer> & {
  readonly tags: string[];
  readonly pinned: boolean;
  readonly visibility: "organization" | "private" | "public";
  readonly private: boolean;
  readonly shared_with_support: boolean;
  readonly deleted: boolean;
  readonly cwd: string;
  readonly retake_version: string;
};

/** Which thread each workspace stands at, found once for each. */
function currentOf(runtime: Runtime): (root: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (root) => {
    if (!known.has(root)) known.set(root, runtime.current(root)?.id);
    return known.get(root);
  };
}

type Lists = NonNullable<Parameters<typeof changeSettings>[2]["lists"]>;

function defined(given: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function settingsOf(state: State) {
  const take = activeTake(state);
  return {
    ...settings(state, take),
    files: pathsIn(state, take, "file"),
    context_files: pathsIn(state, take, "context"),
    screenshots: pathsIn(state, take, "screenshot"),
  };
}

function rolesOf(state: State) {
  return { roles: roles(state, activeTake(state)) };
}

function contextOf(state: State) {
  return { context: pathsIn(state, activeTake(state), "context") };
}
