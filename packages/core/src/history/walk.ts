import { applyChange, type PastSpace, type RecordValue, reverseChange, type SpaceSource } from "../session/diff.ts";
import type { Operation, OperationId } from "../session/operation.ts";
import { inTake, localId, type RecordId, spaceId, type TakeId, takeOf } from "../session/record.ts";
import { recordOf } from "../session/state.ts";
import { BranchCuts, treeIn } from "./branch-cuts.ts";
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
  /** The take that is walked, and the one whose line the walk is in: another one behind a branch. */
  readonly take: TakeId;
  readonly space: TakeId;
  /** What it changed, under the ids that the records have in the take that is walked. */
  readonly changes: readonly { readonly id: RecordId; readonly before: RecordValue; readonly after: RecordValue }[];
  /** True behind a branch: from there on the walk is in another take's past. */
  readonly inherited: boolean;
  /** The branch went back to the files of an earlier point: what this did to them is no part of the take. */
  readonly filesLeftOut: boolean;
  /** The branch left its turn out: in this take it was never there. */
  readonly turnLeftOut: boolean;
}

export function* walk(history: History, take: TakeId): IterableIterator<Step> {
  const past = new Map<RecordId, RecordValue>();
  /** Takes whose space was exchanged later on: what older operations say of them is not of this one. */
  const exchanged = new Set<TakeId>();
  /** Records of the take behind the branch that this one never had. */
  const leftOut = new Set<RecordId>();
  /** Takes that came back later on as they were when they went. */
  const returned = new Set<TakeId>();
  /** Takes that went back to what they were after an older operation: what lies in between is not of them. */
  const away = new Map<TakeId, OperationId>();
  const cuts = new BranchCuts(history);
  let space = take;
  let inherited = false;
  for (let at = history.state.head; at !== null; ) {
    const operation = history.operation(at);
    if (!operation) throw new MissingOperationError(at);
    at = operation.parents[0] ?? null;
    for (const [gone, until] of away) if (until === operation.id) away.delete(gone);
    const here = !away.has(space);
    const origin = here ? operation.diff.spaces?.find((each) => each.take === space)?.after : undefined;
    const visible = (here && operation.take === space) || operation.scope === "thread" || origin !== undefined;
    if (!visible && inherited) continue;
    const workspace = spaceId(take, "workspace");
    const treeAfter = treeIn(past.has(workspace) ? past.get(workspace) : recordOf(history.state, workspace));
    cuts.pass(operation, treeAfter);
    const changes: Step["changes"][number][] = [];
    for (const change of operation.diff.changes) {
      const of = takeOf(change.id);
      if (of !== undefined && away.has(of)) continue;
      if (of !== space && (inherited || (of !== undefined && exchanged.has(of)))) continue;
      const id = of === space ? inTake(take, localId(change.id)) : change.id;
      const after = past.has(id) ? past.get(id) : recordOf(history.state, id);
      // It was there when the take was branched off, and is not here: the branch left it out.
      if (inherited && after === undefined && change.kind !== "remove") leftOut.add(id);
      const before = leftOut.has(id) ? undefined : applyChange(after, reverseChange(change));
      past.set(id, before);
      changes.push({ id, before, after });
    }
    // What was done in other takes is rewound too: an older operation of the thread may have changed it.
    if (!visible) continue;
    const { filesLeftOut } = cuts;
    yield { operation, take, space, changes, inherited, filesLeftOut, turnLeftOut: cuts.hasLeftOut(operation) };
    for (const each of operation.diff.spaces ?? []) {
      if (away.has(each.take)) continue;
      const from = returnOf(operation, each.take, each.after);
      if (from && each.before !== null) away.set(each.take, from.operation);
      else if (from) returned.add(each.take);
      else if (!returned.delete(each.take)) exchanged.add(each.take);
    }
    if (origin === "empty") return;
    if (origin === undefined || origin === null || returnOf(operation, space, origin)) continue;
    inherited = true;
    away.clear();
    cuts.enter(origin, treeAfter);
    at = origin.operation;
    space = origin.take;
  }
}

/**
 * Where a take comes from that was gone, or another, for a while and came back as it was: its line goes on where
 * the log does.
 */
function returnOf(operation: Operation, space: TakeId, origin: SpaceSource | null): PastSpace | undefined {
  if (origin === null || origin === "empty" || origin.take !== space || origin.upto !== undefined) return undefined;
  return origin.operation === operation.parents[1] ? undefined : origin;
}
