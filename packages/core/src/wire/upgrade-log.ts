import { operationsIn, turnAfter, turnAt } from "../history/branch.ts";
import { changesOf } from "../history/group-changes.ts";
import type { History } from "../history/history.ts";
import { settle } from "../history/take-back.ts";
import type { RecordValue } from "../session/diff.ts";
import { Draft, recordGroup } from "../session/draft.ts";
import { DEFAULT_ROLES } from "../session/entry.ts";
import { groupId } from "../session/group-record.ts";
import { type LiveGroup, liveGroup } from "../session/live-groups.ts";
import type { Operation, OperationId, UndoScope } from "../session/operation.ts";
import { keyOf, kindOf, type TakeId, threadId } from "../session/record.ts";
import { DEFAULT_SETTINGS, isSettingField } from "../session/setting.ts";
import { EMPTY_STATE, type State } from "../session/state.ts";
import { entryById, inThread } from "../session/view.ts";
import type { Json, JsonObject } from "../values/json.ts";
import type { ChangeV1, FieldV1, OperationV1, SourceV1 } from "./operation-v1.ts";

/**
 * Turns a log of version 1 into one of version 2, operation by operation, as if version 2 had made it.
 *
 * Version 1 read the log to find out what can be undone. Version 2 has a record for each group in force. So the old log
 * is replayed: each operation gets its changes in the present form, and the records of the groups that it begins, takes
 * back or brings back. Id, version, parents, time, actor and description stay the same, and so does all content: after
 * every operation entries, settings, takes and files are what they were.
 *
 * Some old steps can no longer be undone. Their content stays.
 * - In a branch, steps that were made in its source after the turn that it was branched at.
 * - In a branch, a change of the thread as a whole that was made before the branch.
 * - A change of the thread as a whole that another machine made and a merge brought in.
 */
export class LogUpgrade {
  readonly #treeName: (old: string) => string;
  /** The fields that version 1 did not have, for every record that had a take or a turn. */
  readonly #added = new Map<string, JsonObject>();

  /** `treeName` returns the present name of an old tree. */
  constructor(treeName: (old: string) => string) {
    this.#treeName = treeName;
  }

  /** `history` holds all earlier operations, in version 2. */
  upgrade(history: History, old: OperationV1): Operation {
    const past = before(history, old);
    const draft = new Draft(past.state, { id: old.id, at: old.created_at, actor: old.actor, take: old.take });
    draft.version = old.version;
    for (const { take, after } of old.diff.spaces ?? []) this.#exchange(draft, past, take, after);
    for (const change of old.diff.changes) this.#change(draft, past, old, change);
    const exchanged = new Set(old.diff.spaces?.map(({ take }) => take));
    for (const { group, scope } of old.undoes ?? []) takeBack(draft, past, group, scope, exchanged);
    for (const undo of old.redoes ?? []) takeBack(draft, past, undo, "both", exchanged);
    if (old.kind === "turn-started" && old.group !== old.id) beginRetry(draft, past, old);
    // It is a part of its turn like any other.
    const kind = old.kind === "turn-captured" ? "turn-streamed" : old.kind;
    recordGroup(draft, { ...old, kind });
    return { ...old, kind, diff: draft.diff() };
  }

  #exchange(draft: Draft, past: History, take: TakeId, source: SourceV1 | null): void {
    if (source === null || source === "empty") {
      if (source === null) draft.drop(take);
      else draft.graft(take, source, draft.base);
      return;
    }
    const from = at(past, source.operation);
    const { upto } = source;
    const point = upto === undefined ? undefined : branchPoint({ ...past, state: from }, source.take, upto);
    draft.graft(take, point ? { ...source, until: point.until } : source, from);
    if (point?.running !== undefined) draft.update(groupId(take, point.running), { until: point.until });
  }

  #change(draft: Draft, past: History, old: OperationV1, change: ChangeV1): void {
    const { id } = change;
    if (change.kind === "remove") draft.remove(id);
    else if (change.kind === "create") {
      const value = this.#renamed(id, change.after, Object.keys(change.after));
      draft.put(id, { ...value, ...this.#extra(draft, past, old, change) });
    } else {
      const value = draft.get(id) ?? defaultValue(id);
      // The turn has no record in a branch that, by the rules of version 2, leaves it out.
      if (value) draft.put(id, this.#renamed(id, withFields(value, change.fields), Object.keys(change.fields)));
      else if (kindOf(id) !== "turn") throw new Error(`${id} is changed but does not exist`);
    }
  }

  /** The value with the present names of the trees in the given fields. */
  #renamed(id: string, value: JsonObject, fields: readonly string[]): JsonObject {
    const trees = TREES[kindOf(id)] ?? [];
    const renamed: Record<string, Json> = { ...value };
    for (const field of fields.filter((name) => trees.includes(name)))
      if (typeof value[field] === "string") renamed[field] = this.#treeName(value[field]);
    return renamed;
  }

  /** A record that an undo or a jump brings back has the same extra fields as when it was created. */
  #extra(draft: Draft, past: History, old: OperationV1, { id }: ChangeV1): JsonObject {
    const kind = kindOf(id);
    if (kind !== "take" && kind !== "turn") return {};
    const key = `${kind}:${keyOf(id)}`;
    const known = this.#added.get(key);
    if (known) return known;
    const fields = kind === "take" ? { since: old.version } : turnFields(draft, past, old);
    this.#added.set(key, fields);
    return fields;
  }
}

/** The fields that name trees, by the kind of the record. */
const TREES: { readonly [kind: string]: readonly string[] } = {
  workspace: ["tree"],
  turn: ["tree_before", "tree_after"],
};

function turnFields(draft: Draft, past: History, { id, group, version }: OperationV1): JsonObject {
  const number = (inThread(draft.state, "numbers")?.turns ?? 0) + 1;
  draft.put(threadId("numbers"), { turns: number });
  return { number, version: group === id ? version : (past.operation(group)?.version ?? version) };
}

/** The history at the operation's parent. It is not always the newest, because a merge has two lines. */
function before(history: History, { parents: [parent] }: OperationV1): History {
  const state = parent === undefined ? { ...EMPTY_STATE, device: history.state.device } : at(history, parent);
  return {
    state,
    operation: (id) => history.operation(id),
    group: (id) => history.group(id),
    stateAt: (id) => at(history, id),
  };
}

function at(history: History, operation: OperationId): State {
  return operation === history.state.head ? history.state : history.stateAt(operation);
}

/** Version 1 stored default settings in several ways. */
function defaultValue(id: string): RecordValue {
  const key = keyOf(id);
  if (kindOf(id) === "roles") return { list: DEFAULT_ROLES };
  return kindOf(id) === "setting" && isSettingField(key) ? { value: DEFAULT_SETTINGS[key] as Json } : undefined;
}

function withFields(value: JsonObject, fields: { readonly [name: string]: FieldV1 }): JsonObject {
  const after: Record<string, Json> = { ...value };
  for (const [name, field] of Object.entries(fields)) {
    const next = "at" in field ? spliced(value[name], field) : field.after;
    if (next === undefined) delete after[name];
    else after[name] = next;
  }
  return after;
}

function spliced(
  text: Json | undefined,
  { at, removed, inserted }: { readonly at: number; readonly removed: string; readonly inserted: string },
): string {
  if (typeof text !== "string" || text.slice(at, at + removed.length) !== removed)
    throw new Error("a text does not hold what a change takes out of it");
  return text.slice(0, at) + inserted + text.slice(at + removed.length);
}

/** Takes a group out of force, and puts the groups back in force that it had taken back. */
function takeBack(
  draft: Draft,
  past: History,
  id: OperationId,
  scope: UndoScope,
  exchanged: ReadonlySet<TakeId>,
): void {
  const group = live(draft, past, id);
  if (!group) return;
  const taken = { group, take: draft.take, scope, description: "" };
  settle(draft, taken, changesOf(past, taken, draft.state), exchanged);
}

function live(draft: Draft, past: History, id: OperationId): LiveGroup | undefined {
  return liveGroup(draft.state, draft.take, { id, version: past.operation(id)?.version ?? 0 });
}

/** The undo that begins a retry is part of the turn. */
function beginRetry(draft: Draft, past: History, { group, turn_id = "" }: OperationV1): void {
  const found = live(draft, past, group);
  if (found) draft.update(groupId(found.thread ? undefined : draft.take, found.version), { role: "turn", turn_id });
}

/**
 * Where the history of a version 1 branch ends: it holds the whole turn of its last entry, with the files of the turn's
 * end. Undefined when no later turn exists. `running`: the version of a turn that had not ended.
 */
function branchPoint(
  history: History,
  take: TakeId,
  upto: string,
): { readonly until: number; readonly running?: number } | undefined {
  const space = history.state.spaces.get(take);
  const [, last] = space?.order.descending(`${upto} \u007f`).next().value ?? [];
  const entry = last === undefined ? undefined : entryById(history.state, take, last);
  const own = entry && turnAt(history.state, take, entry);
  const next = turnAfter(history.state, take, entry);
  if (!next) return undefined;
  if (!own) return { until: next.version - 1 };
  const until = operationsIn(history, take, own).at(-1)?.version ?? own.version;
  return own.status === "running" ? { until, running: own.version } : { until };
}
