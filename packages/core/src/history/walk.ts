import { applyChange, type PastSpace, type RecordValue, reverseChange } from "../session/diff.ts";
import type { Operation } from "../session/operation.ts";
import { inTake, localId, type RecordId, type TakeId, takeOf } from "../session/record.ts";
import { recordOf } from "../session/state.ts";
import { type History, MissingOperationError } from "./history.ts";

/**
 * Walking a take's history backwards, from where it stands to its beginning.
 *
 * The walk visits the operations that were made in the take and those of the thread as a whole.
 * Where the take was branched off it goes on in the take that it came from:
 *
 *     main    A ── B ── C ── D ── E ── H
 *                       └ branch        main_take_1 walks G, F, branch, C, B, A
 *     take_1            F ── G
 *
 * (In the log all of them stand in one row, A B C branch F D G E H: a thread has one log.)
 *
 * While it walks it *rewinds*: it knows the value that each record it passes had before and after
 * each operation, by reversing them one after the other from the present. So nothing is folded
 * and no past state is needed to take one change back.
 */
export interface Step {
  readonly operation: Operation;
  /** What it changed, under the ids that the records have in the take that is walked. */
  readonly changes: readonly { readonly id: RecordId; readonly before: RecordValue; readonly after: RecordValue }[];
  /** True behind a branch: from there on the walk is in another take's past. */
  readonly inherited: boolean;
}

export function* walk(history: History, take: TakeId): IterableIterator<Step> {
  const past = new Map<RecordId, RecordValue>();
  /** Takes whose space was exchanged later on: what older operations say of them is not of this one. */
  const exchanged = new Set<TakeId>();
  let space = take;
  let inherited = false;
  for (let at = history.state.head; at !== null; ) {
    const operation = history.operation(at);
    if (!operation) throw new MissingOperationError(at);
    at = operation.parents[0] ?? null;
    const origin = operation.diff.spaces?.find((each) => each.take === space)?.after;
    if (operation.take !== space && operation.scope !== "thread" && origin === undefined) continue;
    const changes: Step["changes"][number][] = [];
    for (const change of operation.diff.changes) {
      const of = takeOf(change.id);
      if (of !== space && (inherited || (of !== undefined && exchanged.has(of)))) continue;
      const id = of === space ? inTake(take, localId(change.id)) : change.id;
      const after = past.has(id) ? past.get(id) : recordOf(history.state, id);
      const before = rewound(after, change, inherited);
      past.set(id, before);
      changes.push({ id, before, after });
    }
    yield { operation, changes, inherited };
    for (const each of operation.diff.spaces ?? []) exchanged.add(each.take);
    if (origin === "empty") return;
    if (origin === undefined || origin === null || isReturn(operation, space, origin)) continue;
    inherited = true;
    at = origin.operation;
    space = origin.take;
  }
}

/** A take that was gone for a while and came back as it was: its line goes on where the log does. */
function isReturn(operation: Operation, space: TakeId, origin: PastSpace): boolean {
  return origin.take === space && origin.upto === undefined && origin.operation !== operation.parents[1];
}

/**
 * A record's value before a change. A branch left out the entries behind it: in the branch they are
 * absent now, whatever older operations did to them.
 */
function rewound(value: RecordValue, change: Operation["diff"]["changes"][number], inherited: boolean): RecordValue {
  if (inherited && value === undefined && change.kind !== "remove") return undefined;
  return applyChange(value, reverseChange(change));
}
