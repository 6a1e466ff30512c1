import {
  activeTake,
  canRedo,
  canUndo,
  entries,
  type History,
  liveTakes,
  pathsIn,
  recordOf,
  roles,
  runningTurn,
  SETTING_FIELDS,
  setting,
} from "@retake/core";
import { entryJson } from "./entry-json.ts";
import { takeJson } from "./take-json.ts";

/** S10: the fields of a thread's state that programs can read, and how each is read. */
export const STATE_FIELDS: Readonly<Record<string, (history: History) => unknown>> = {
  version: ({ state }) => state.version,
  head: ({ state }) => state.head,
  title: ({ state }) => recordOf(state, "thread")?.["title"] ?? "",
  take: ({ state }) => activeTake(state),
  takes: ({ state }) => liveTakes(state).map((take) => takeJson(state, take)),
  entries: ({ state }) => [...entries(state, activeTake(state))].map(entryJson),
  roles: ({ state }) => roles(state, activeTake(state)),
  files: ({ state }) => pathsIn(state, activeTake(state), "file"),
  context: ({ state }) => pathsIn(state, activeTake(state), "context"),
  screenshots: ({ state }) => pathsIn(state, activeTake(state), "screenshot"),
  running_turn: ({ state }) => runningTurn(state, activeTake(state)) ?? null,
  can_undo: (history) => canUndo(history),
  can_redo: (history) => canRedo(history),
  ...Object.fromEntries(
    SETTING_FIELDS.map((field) => [field, ({ state }: History) => setting(state, activeTake(state), field)]),
  ),
};
