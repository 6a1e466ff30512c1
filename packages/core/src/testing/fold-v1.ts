import { keyOf, kindOf } from "../session/record.ts";
import { DEFAULT_SETTINGS, isSettingField } from "../session/setting.ts";
import { recordsIn, type State } from "../session/state.ts";
import type { Json, JsonObject } from "../values/json.ts";
import type { ChangeV1, OperationV1, SourceV1 } from "../wire/operation-v1.ts";

/** A state as version 0.1.0 folded it: its records by id, and those of each take by local id. */
export interface StateV1 {
  readonly thread: Map<string, JsonObject>;
  readonly spaces: Map<string, Map<string, JsonObject>>;
}

/** The fold of version 0.1.0, in the simplest form: it keeps the state after every operation. Never edit it. */
export class FoldV1 {
  readonly #states = new Map<string, StateV1>();

  apply(operation: OperationV1): StateV1 {
    const parent = this.at(operation.parents[0]);
    const state = {
      thread: new Map(parent.thread),
      spaces: new Map([...parent.spaces].map(([take, space]) => [take, new Map(space)])),
    };
    for (const { take, after } of operation.diff.spaces ?? []) {
      if (after === null) state.spaces.delete(take);
      else state.spaces.set(take, this.#space(after));
    }
    for (const change of operation.diff.changes) {
      const [, take, local] = /^([^/:]+)\/(.*)$/s.exec(change.id) ?? [];
      const records = take === undefined ? state.thread : state.spaces.get(take);
      if (!records) throw new Error(`${change.id} lies in a take that does not exist`);
      applyChange(records, local ?? change.id, change);
    }
    this.#states.set(operation.id, state);
    return state;
  }

  at(operation: string | undefined): StateV1 {
    if (operation === undefined) return { thread: new Map(), spaces: new Map() };
    const state = this.#states.get(operation);
    if (!state) throw new Error(`nothing is known of ${operation}`);
    return state;
  }

  #space(source: SourceV1): Map<string, JsonObject> {
    const space = new Map(source === "empty" ? [] : this.at(source.operation).spaces.get(source.take));
    if (source === "empty" || source.upto === undefined) return space;
    for (const [local, entry] of [...space]) {
      if (!local.startsWith("entry:") || String(entry["order"]) <= source.upto) continue;
      space.delete(local);
      const turn = `turn:${String(entry["turn_id"])}`;
      if (space.get(turn)?.["prompt_entry"] === entry["id"]) space.delete(turn);
    }
    return space;
  }
}

function applyChange(records: Map<string, JsonObject>, id: string, change: ChangeV1): void {
  if (change.kind === "remove") {
    records.delete(id);
    return;
  }
  if (change.kind === "create") {
    records.set(id, change.after);
    return;
  }
  const value: Record<string, Json> = { ...records.get(id) };
  for (const [name, field] of Object.entries(change.fields)) {
    const text = String(value[name]);
    const after =
      "at" in field
        ? text.slice(0, field.at) + field.inserted + text.slice(field.at + field.removed.length)
        : field.after;
    if (after === undefined) delete value[name];
    else value[name] = after;
  }
  records.set(id, value);
}

/** The part of a state that versions 1 and 2 have in common, for comparison. */
export function commonOfV1({ thread, spaces }: StateV1, treeName: (old: string) => string): Json {
  return plain(
    [...thread],
    [...spaces].map(([take, space]) => [take, [...space].map(([id, value]) => [id, renamed(id, value, treeName)])]),
  );
}

export function commonOf({ thread, spaces }: State): Json {
  return plain(
    [...thread.entries()],
    [...spaces.entries()].map(([take, space]) => [take, [...recordsIn(space)]]),
  );
}

type Records = readonly (readonly [string, JsonObject])[];

function plain(thread: Records, spaces: readonly (readonly [string, Records])[]): Json {
  return {
    thread: common(thread),
    spaces: Object.fromEntries(spaces.map(([take, records]) => [take, common(records)])),
  };
}

function common(records: Records): JsonObject {
  const turns = new Set(records.filter(([id]) => kindOf(id) === "entry").map(([, { turn_id }]) => turn_id));
  const list = records
    .filter(([id, value]) => kindOf(id) !== "group" && kindOf(id) !== "numbers" && !isDefault(id, value))
    // Version 2 leaves turns out of a branch by other rules when the branch holds none of their entries.
    .filter(([id, { id: turn }]) => kindOf(id) !== "turn" || turns.has(turn))
    .map(([id, value]) => {
      const { since: _, number: __, version: ___, ...rest } = value;
      return [id, kindOf(id) === "take" || kindOf(id) === "turn" ? rest : value] as const;
    });
  return Object.fromEntries(list);
}

function isDefault(id: string, value: JsonObject): boolean {
  const field = keyOf(id);
  if (kindOf(id) === "roles") return JSON.stringify(value["list"]) === '["User","AI","Vendor API","System"]';
  return (
    kindOf(id) === "setting" &&
    isSettingField(field) &&
    JSON.stringify(value["value"]) === JSON.stringify(DEFAULT_SETTINGS[field])
  );
}

function renamed(id: string, value: JsonObject, treeName: (old: string) => string): JsonObject {
  const trees = kindOf(id) === "workspace" ? ["tree"] : kindOf(id) === "turn" ? ["tree_before", "tree_after"] : [];
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, trees.includes(name) ? treeName(String(field)) : field]),
  );
}
