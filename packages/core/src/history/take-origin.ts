import type { PastSpace } from "../session/diff.ts";
import type { Entry } from "../session/entry.ts";
import type { Operation, OperationId } from "../session/operation.ts";
import type { TakeId } from "../session/record.ts";
import type { State } from "../session/state.ts";
import { entriesBack } from "../session/view.ts";
import { type History, line } from "./history.ts";

/** The operation that made a take, and the space that it copied; a thread's first take copied none. */
export interface TakeOrigin {
  readonly operation: Operation;
  readonly from?: PastSpace;
}

/** Undefined when there is no such take, or its line is not all there. */
export function originOf(history: History, take: TakeId): TakeOrigin | undefined {
  for (let head = history.state.head; head !== null; ) {
    const from: OperationId = head;
    head = null;
    // Only operations that replaced the take's space matter.
    for (const operation of history.lineOf?.(from, take, 0) ?? line(history, from)) {
      const change = operation.diff.spaces?.find((each) => each.take === take);
      if (!change?.after) continue;
      if (change.after === "empty") return { operation };
      // A merge brought the take from another machine's line: it was made there.
      if (change.after.operation === operation.parents[1]) {
        head = change.after.operation;
        break;
      }
      if (change.before === null && change.after.take !== take) return { operation, from: change.after };
    }
  }
  return undefined;
}

/** The last entry that a take has in common with the one it was branched off, as far as it still has it. */
export function lastShared(history: History, take: TakeId, { from }: TakeOrigin): Entry | undefined {
  if (!from) return undefined;
  if (from.upto !== undefined) return entryUpto(history.state, take, from.upto);
  // A past state was copied whole.
  return entriesBack(history.stateAt(from.operation), from.take).next().value;
}

function entryUpto(state: State, take: TakeId, order: string): Entry | undefined {
  // Ids have no character that sorts after this one.
  const beyond = { order, id: "\u007f" } as Entry;
  return entriesBack(state, take, beyond).next().value;
}

/** The last operation that changed the content of a take: its records, or all of it. */
export function lastChange(history: History, take: TakeId): Operation | undefined {
  const { head } = history.state;
  const found = head === null ? undefined : history.lastOf?.(head, take);
  if (found) return found;
  for (const operation of line(history, head)) {
    if (operation.scope === "take" && operation.take === take) return operation;
    if (operation.diff.spaces?.some((each) => each.take === take)) return operation;
  }
  return undefined;
}
