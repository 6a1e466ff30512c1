import type { Entry } from "../session/entry.ts";
import type { Operation, OperationKind } from "../session/operation.ts";
import type { TurnReceipt } from "../session/receipt.ts";
import type { TakeId } from "../session/record.ts";
import type { Conflict, ConflictChoice } from "./conflict.ts";
import type { GroupSelection, Transition } from "./group-changes.ts";

/**
 * The decision of an undo, redo or revert. A plan says what would be taken back and changes nothing. `runtime/undo`
 * restores the files; then `completePlan` makes the operation, with the trees that resulted from the restore.
 *
 * A plan is made by taking the groups back on a temporary draft. The groups in force are records of the draft, so each
 * step sees what the steps before it brought back (a retry, a revert) or left (a branch, a switch). One plan can
 * therefore pass through any number of takes and still be one operation.
 */
export interface Plan extends ConflictChoice {
  readonly kind: "plan";
  readonly operation: OperationKind;
  readonly take: TakeId;
  /** The version it was made for. It is void once the thread has a newer version. */
  readonly version: number;
  readonly groups: readonly GroupSelection[];
  /** The transitions to reverse in the files of each take, newest first. */
  readonly files: ReadonlyMap<TakeId, readonly Transition[]>;
  /** False when nothing but files would change: where these are like that already, there is nothing to do. */
  readonly changes_records: boolean;
  /** The take that is active now, and the one that will be active: its files will be on disk. */
  readonly active: { readonly before: TakeId; readonly after: TakeId };
  /** Records that were changed later. A plan can be completed only if each is decided (`unresolved`). */
  readonly conflicts: readonly Conflict[];
  /** Receipts of the turns, or of the one call to take back: they list effects that no undo can reverse (X8). */
  readonly receipts: readonly TakenReceipt[];
  readonly turns_undone: number;
  readonly messages_removed: number;
  /** Turns and entries that a redo, or the undo of a removal, brings back. */
  readonly turns_returned: number;
  readonly messages_returned: number;
  /** The prompt of the earliest turn that is undone. */
  readonly original_user_text: string | null;
  /** The fate of that prompt (U3): it becomes the draft again, stays as an entry, or goes. */
  readonly prompt: "draft" | "entry" | "gone";
  readonly description: string;
  readonly links: Pick<Operation, "undoes" | "redoes">;
}

export interface TakenReceipt {
  readonly turn_id: string;
  readonly receipt: TurnReceipt | undefined;
  readonly result?: Entry | undefined;
}

/** The part of a plan that is decided before any group is taken back. */
export type PlanOptions = Pick<Plan, "operation" | "take" | "policy" | "prompt" | "resolutions">;

export type Nothing = { readonly kind: "nothing"; readonly message: string };
