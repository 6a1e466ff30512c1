import { keyOf, kindOf } from "../session/record.ts";
import { DEFAULT_SETTINGS, isSettingField } from "../session/setting.ts";
import { recordsIn, type State } from "../session/state.ts";
import type { Json, JsonObject } from "../values/json.ts";
import type { StateV1 } from "./fold-v1.ts";

/** All that versions 1 and 2 have in common of a state, to compare: everything but what only one of them stores. */
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
    // Turns of which a branch has no entry are left out by other rules.
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
