import {
  activeTake,
  type Built,
  type Context,
  clearEntries,
  type EntryInput,
  entryById,
  insertEntry,
  isRefusal,
  type Json,
  patchEntry,
  refuse,
  removeEntry,
  replaceEntries,
  resetSession,
  type State,
  takeById,
  truncateEntries,
} from "@retake/core";
import { type ChangeOptions, changedOutcome, entryJson, explainChange, type Runtime } from "@retake/runtime";
import { RequestError } from "../request-error.ts";
import { type EntryJson, entryPage } from "./entry-page.ts";
import { answer, type Handlers } from "./handler.ts";
import { readAt } from "./state-at.ts";

export const entryHandlers: Handlers<
  | "listEntries"
  | "addEntry"
  | "replaceEntries"
  | "getEntry"
  | "editEntry"
  | "removeEntry"
  | "truncate"
  | "compress"
  | "clear"
  | "reset"
> = {
  listEntries: ({ runtime, params, query }) =>
    readAt(runtime, params.id, query.at, (state) => {
      const take = query.take ?? activeTake(state);
      if (!takeById(state, take)) return refuse("not-found", `There is no take ${take} in this thread.`);
      return answer({ version: state.version, ...entryPage(state, take, query) });
    }),

  addEntry({ runtime, params, query, body, change }) {
    const { before, index, ...given } = body;
    const entry = { ...given, id: given.id ?? runtime.store.identity.id() } as EntryInput;
    const place = {
      ...(before === undefined ? {} : { before }),
      ...(index === undefined ? {} : { index }),
    };
    const build = (state: State, context: Context) => insertEntry(state, context, { entry, ...place });
    return changeEntry(runtime, { thread: params.id, entry: entry.id, query, change }, build);
  },

  replaceEntries: ({ runtime, params, body, change }) =>
    runtime.change(
      params.id,
      (state, context) => replaceEntries(state, context, { entries: withIds(runtime, body.entries) }),
      change,
      (state) => ({ entries: listed(state) }),
    ),

  getEntry: ({ runtime, params }) =>
    runtime.read(params.id, ({ state }) => {
      const entry = entryById(state, activeTake(state), params.entry);
      if (!entry) return refuse("not-found", `There is no entry ${params.entry} in the active take.`);
      return answer(entryJson(entry) as EntryJson);
    }),

  editEntry({ runtime, params, query, body, change }) {
    const { typing, ...patch } = body;
    const build = (state: State, context: Context) =>
      patchEntry(state, context, {
        entry: params.entry,
        patch: patch as Record<string, Json>,
        typing: typing === true,
      });
    return changeEntry(runtime, { thread: params.id, entry: params.entry, query, change }, build);
  },

  removeEntry({ runtime, params, query, change }) {
    const build = (state: State, context: Context) => removeEntry(state, context, { entry: params.entry });
    return changeEntry(runtime, { thread: params.id, entry: params.entry, query, change }, build);
  },

  truncate: ({ runtime, params, body, change }) =>
    runtime.change(
      params.id,
      (state, context) => truncateEntries(state, context, body),
      change,
      () => ({}),
    ),

  async compress({ runtime, params, body, change, signal }) {
    const { expectedVersion } = change;
    const done = await runtime.compress(params.id, { ...body, expectedVersion, signal });
    if (done.kind === "failed") throw new RequestError(424, done.code, done.message);
    if (done.kind === "refused") return changedOutcome(runtime.store, params.id, done, () => ({}));
    const { operation, summary, usage } = done;
    return changedOutcome(runtime.store, params.id, operation, () => ({ summary, usage }));
  },

  clear: ({ runtime, params, change }) => runtime.change(params.id, clearEntries, change, () => ({})),

  reset: ({ runtime, params, change }) => runtime.change(params.id, resetSession, change, () => ({})),
};

interface EntryChange {
  readonly thread: string;
  readonly entry: string;
  readonly query: { readonly effects?: boolean | undefined; readonly dry_run?: boolean | undefined };
  readonly change: ChangeOptions;
}

/** Changes one entry; where it is asked for, says what that breaks for the model (X7), or only says it. */
function changeEntry(runtime: Runtime, asked: EntryChange, build: (state: State, context: Context) => Built) {
  const { thread, entry, query, change } = asked;
  const trial = () =>
    runtime.read(thread, ({ state }) => {
      const built = build(state, runtime.store.identity.context({ kind: "user" }));
      if (isRefusal(built)) return built;
      return {
        version: state.version,
        effects: { ...explainChange(state, built.operation) } as Record<string, unknown>,
      };
    });
  if (query.dry_run) {
    const would = trial();
    return isRefusal(would) ? would : answer({ op_id: null, ...would });
  }
  const would = query.effects ? trial() : undefined;
  const effects = would && !isRefusal(would) ? { effects: would.effects } : {};
  return runtime.change(thread, build, change, (state) => {
    const now = entryById(state, activeTake(state), entry);
    return { ...(now ? { entry: entryJson(now) as EntryJson } : {}), ...effects };
  });
}

/** Entries that are new need not be given an id. */
export function withIds(runtime: Runtime, list: readonly { readonly id?: string | undefined }[]): EntryInput[] {
  return list.map((entry) => ({ ...entry, id: entry.id ?? runtime.store.identity.id() }) as EntryInput);
}

export function listed(state: State, take = activeTake(state)): readonly EntryJson[] {
  return entryPage(state, take, {}).entries;
}
