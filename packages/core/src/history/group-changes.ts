import { type Change, reverseChange, type SpaceChange } from "../session/diff.ts";
import type { LiveGroup } from "../session/live-groups.ts";
import type { Operation, UndoScope } from "../session/operation.ts";
import { inTake, kindOf, localId, type RecordId, spaceId, type TakeId, takeOf } from "../session/record.ts";
import type { State } from "../session/state.ts";
import { entriesBack, entryById } from "../session/view.ts";
import type { Json, JsonObject } from "../values/json.ts";
import type { History } from "./history.ts";

/** A group that is to be taken back in a take: which one, and how much of it. */
export interface Taken {
  readonly group: LiveGroup;
  readonly take: TakeId;
  readonly scope: UndoScope;
  readonly description: string;
  /** Only one tool call of it: the entry of its result. The group stays in force. */
  readonly result?: string;
}

/** All that a group did, put together from its operations. */
export interface GroupChanges {
  /** The changes of each record, oldest first, under the id that it has in the take. */
  readonly records: ReadonlyMap<RecordId, readonly Change[]>;
  /** How the files of each take went from tree to tree, newest first. */
  readonly files: ReadonlyMap<TakeId, readonly Transition[]>;
  /** Newest first. */
  readonly spaces: readonly SpaceChange[];
}

export interface Transition {
  readonly before: string;
  readonly after: string;
}

/**
 * What a group did, as a take sees it. A group that the take has from the one it was branched off was made under the
 * ids of that one; in a group of a single take nothing else is named.
 */
export function changesOf(history: History, taken: Taken, state: State): GroupChanges {
  const operations = operationsOf(history, taken.group.record);
  const { take, result } = taken;
  if (result === undefined) return changesIn(operations, taken);
  // What a call did to the files is in the operations that brought its result.
  const own = operations.filter(({ take, diff }) =>
    diff.changes.some(({ id }) => id === spaceId(take, "entry", result)),
  );
  return { records: callRecords(state, take, result), files: changesIn(own, taken).files, spaces: [] };
}

function changesIn(operations: readonly Operation[], { group: { thread }, take }: Taken): GroupChanges {
  const records = new Map<RecordId, Change[]>();
  const files = new Map<TakeId, Transition[]>();
  const spaces: SpaceChange[] = [];
  for (const operation of operations) {
    // The files of a take that comes or goes come and go with it.
    const exchanged = new Set(operation.diff.spaces?.map((change) => change.take));
    for (const change of operation.diff.changes) {
      const own = !thread && takeOf(change.id) === operation.take;
      const id = own ? inTake(take, localId(change.id)) : change.id;
      const of = takeOf(id);
      if (kindOf(id) === "workspace" && of !== undefined) {
        if (exchanged.has(of)) continue;
        const moved = { before: treeIn(reverseChange(change)), after: treeIn(change) };
        files.set(of, [moved, ...(files.get(of) ?? [])]);
      } else records.set(id, [...(records.get(id) ?? []), { ...change, id }]);
    }
    spaces.unshift(...(operation.diff.spaces?.toReversed() ?? []));
  }
  return { records, files, spaces };
}

/** A call is its result's entry, with whatever was edited in it since, and its mention in the step that made it. */
function callRecords(state: State, take: TakeId, result: string): ReadonlyMap<RecordId, readonly Change[]> {
  const records = new Map<RecordId, readonly Change[]>();
  const entry = entryById(state, take, result);
  if (!entry) return records;
  const id = spaceId(take, "entry", result);
  records.set(id, [{ kind: "create", id, after: entry as unknown as JsonObject }]);
  const call = entry.tool_result?.call_id;
  for (const caller of entriesBack(state, take, entry)) {
    // Models use the same id in several turns.
    if (caller.turn_id !== entry.turn_id) break;
    const others = caller.tool_calls?.filter((each) => each.id !== call);
    if (!others || others.length === caller.tool_calls?.length) continue;
    const mention = spaceId(take, "entry", caller.id);
    const tool_calls = { before: others, after: caller.tool_calls as readonly Json[] };
    records.set(mention, [{ kind: "update", id: mention, fields: { tool_calls } }]);
    break;
  }
  return records;
}

/** A branch that was made inside of a turn has the turn's first operations only. */
export function operationsOf(history: History, { id, until }: LiveGroup["record"]): readonly Operation[] {
  const operations = history.group(id);
  return until === undefined ? operations : operations.filter(({ version }) => version <= until);
}

/** The tree that a change of a `workspace` record leads to. */
export function treeIn(change: Change): string {
  if (change.kind === "remove") return "";
  const tree = change.kind === "create" ? change.after["tree"] : change.fields["tree"];
  if (typeof tree === "string") return tree;
  return typeof tree === "object" && tree !== null && "after" in tree ? String(tree.after) : "";
}
