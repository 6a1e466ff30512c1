import type { Entry } from "../session/entry.ts";
import type { Operation, OperationKind } from "../session/operation.ts";
import type { TurnReceipt } from "../session/receipt.ts";
import type { TakeId } from "../session/record.ts";
import type { Conflict, ConflictPolicy } from "./conflict.ts";
import type { Taken, Transition } from "./group-changes.ts";

/**
 * Undo, redo and revert, decided. A plan says what would be taken back and touches nothing; the files are put
 * back by `runtime/undo`, and then `completePlan` makes the operation, with the trees that the files came to.
 *
 * A plan is made by doing it on a draft that is thrown away. The groups that are in force are records of the draft, so
 * what one step brings back (a retry, a revert) or leaves (a branch, a switch) is there for the next: one plan goes
 * through any number of takes, and is one operation.
 */
export interface Plan {
  readonly kind: "plan";
  readonly operation: OperationKind;
  readonly take: TakeId;
  /** The version it was made for: it is void when the thread has gone on. */
  readonly version: number;
  readonly groups: readonly Taken[];
  readonly policy: ConflictPolicy;
  /** What the files of each take must be taken back through, newest first. */
  readonly files: ReadonlyMap<TakeId, readonly Transition[]>;
  /** The take that is active now, and the one that will be: its files are then the ones to have on disk. */
  readonly active: { readonly before: TakeId; readonly after: TakeId };
  /** Records that were changed since. With the policy `abort` the plan cannot be completed. */
  readonly conflicts: readonly Conflict[];
  /** What the turns did, or the call that alone is taken back: some of it no undo takes back (X8). */
  readonly receipts: readonly TakenReceipt[];
  readonly turns_undone: number;
  readonly messages_removed: number;
  /** The prompt of the earliest turn that is undone. */
  readonly original_user_text: string | null;
  /** What becomes of that prompt (U3): the draft again, an entry of its own, or nothing. */
  readonly prompt: "draft" | "entry" | "gone";
  readonly description: string;
  readonly links: Pick<Operation, "undoes" | "redoes">;
}

export interface TakenReceipt {
  readonly turn_id: string;
  readonly receipt: TurnReceipt | undefined;
  readonly result?: Entry | undefined;
}

/** What is decided before anything is taken back. */
export type Choice = Pick<Plan, "operation" | "take" | "policy" | "prompt">;

export type Nothing = { readonly kind: "nothing"; readonly message: string };
