import type { Json, JsonObject } from "../values/json.ts";
import type { ChangeV1, OperationV1, SourceV1 } from "../wire/operation-v1.ts";

/** A state as version 0.1.0 folded it: its records by id, and those of each take by local id. */
export interface StateV1 {
  readonly thread: Map<string, JsonObject>;
  readonly spaces: Map<string, Map<string, JsonObject>>;
}

/** The fold of version 0.1.0, as plainly as can be: it keeps the state after every operation. Never edited. */
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
