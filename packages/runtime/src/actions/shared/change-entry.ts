import { activeTake, type Built, type Context, entryById, isRefusal, type State } from "@retake/core";
import { entryJson } from "../../answers/entry-json.ts";
import { explainChange } from "../../answers/explain-change.ts";
import type { Runtime } from "../../host/runtime.ts";
import type { ChangeOptions } from "../../store/open-store.ts";
import { answer } from "../action.ts";
import { outsideFiles } from "./outside-files.ts";

export interface EntryChange {
  readonly thread: string;
  readonly entry: string;
  readonly query: { readonly effects?: boolean | undefined; readonly dry_run?: boolean | undefined };
  readonly change: ChangeOptions;
}

/** Changes one entry; where it is asked for, says what that breaks for the model (X7), or only says it. */
export function changeEntry(runtime: Runtime, call: EntryChange, build: (state: State, context: Context) => Built) {
  const { thread, entry, query, change } = call;
  const trial = () =>
    runtime.read(thread, ({ state }) => {
      const built = build(state, runtime.store.identity.context({ kind: "user" }));
      if (isRefusal(built)) return built;
      const places = { attachments: runtime.store.attachments, outside: outsideFiles(runtime, thread) };
      return { version: state.version, effects: explainChange(state, built.operation, places) };
    });
  if (query.dry_run) {
    const would = trial();
    return isRefusal(would) ? would : answer({ op_id: null, ...would });
  }
  const would = query.effects ? trial() : undefined;
  const effects = isRefusal(would) ? undefined : would?.effects;
  return runtime.change(thread, build, change, (state) => {
    const now = entryById(state, activeTake(state), entry);
    return { entry: now && entryJson(now), effects };
  });
}
