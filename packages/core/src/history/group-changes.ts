import { type Change, reverseChange, type SpaceChange } from "../session/diff.ts";
import type { LiveGroup } from "../session/live-groups.ts";
import type { Operation, UndoScope } from "../session/operation.ts";
import { inTake, kindOf, localId, type RecordId, spaceId, type TakeId, takeOf } from "../session/record.ts";
import type { State } from "../session/state.ts";
import { entriesBack, entryById } from "../session/view.ts";
import { asJson, type Json } from "../values/json.ts";
import type { History } from "./history.ts";

/** A group to take back in a take: which group, and how much of it. */
export interface GroupSelection {
  readonly group: LiveGroup;
  readonly take: TakeId;
  readonly scope: UndoScope;
  readonly description: string;
  /** Set to take back only one tool call: the id of its result's entry. The group stays in force. */
  readonly result?: string;
}

/** Everything that a group changed, collected from its operations. */
export interface GroupChanges {
  /**
   * The changes of each record, oldest first. Ids are those of the take, also when the group was made in another take.
   */
  readonly records: ReadonlyMap<RecordId, readonly Change[]>;
  /** The file changes of each take, from tree to tree, newest first. */
  readonly files: ReadonlyMap<TakeId, readonly Transition[]>;
  /** Newest first. */
  readonly spaces: readonly SpaceChange[];
}

export interface Transition {
  readonly before: string;
  readonly after: string;
}

/**
 * Collects the changes of a group, as a take sees them. When a take was branched off another one, the operations of
 * that other take name its records; their ids are translated to this take.
 */
export function changesOf(history: History, taken: GroupSelection, state: State): GroupChanges {
  const operations = operationsOf(history, taken.group.record);
  const { take, result } = taken;
  if (result === undefined) return changesIn(operations, taken);
  // The file changes of a call are in the operations that wrote its result.
  const own = operations.filter(({ take, diff }) =>
    diff.changes.some(({ id }) => id === spaceId(take, "entry", result)),
  );
  return { records: callRecords(state, take, result), files: changesIn(own, taken).files, spaces: [] };
}

function changesIn(operations: readonly Operation[], { group: { thread }, take }: GroupSelection): GroupChanges {
  const records = new Map<RecordId, Change[]>();
  const files = new Map<TakeId, Transition[]>();
  const spaces: SpaceChange[] = [];
  for (const operation of operations) {
    // A take that is created or removed as a whole brings its files along: they are no separate change.
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

/** The records of one call: the entry of its result, with later edits, and the call in the answer that asked for it. */
function callRecords(state: State, take: TakeId, result: string): ReadonlyMap<RecordId, readonly Change[]> {
  const records = new Map<RecordId, readonly Change[]>();
  const entry = entryById(state, take, result);
  if (!entry) return records;
  const id = spaceId(take, "entry", result);
  records.set(id, [{ kind: "create", id, after: asJson(entry) }]);
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

/** A branch inside a turn holds only the first operations of the turn, up to `until`. */
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
