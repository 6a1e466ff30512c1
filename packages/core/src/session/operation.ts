import type { Id } from "../values/id.ts";
import type { Diff } from "./diff.ts";
import type { TakeId } from "./record.ts";

/**
 * One committed change of a thread, immutable. The state is the fold of all operations; undo, redo and jump are
 * operations too, so nothing that happened is ever lost.
 */
export interface Operation {
  readonly id: OperationId;
  /** The position in the thread's history: one more than the highest version of its parents. */
  readonly version: number;
  /** The heads it was made on. A merge has two, and its diff is against the first. */
  readonly parents: readonly OperationId[];
  /** The take it was made in. */
  readonly take: TakeId;
  /** An operation of the whole thread belongs to the history of every take. */
  readonly scope: "take" | "thread";
  /** The id of the first operation of its group. A turn is one group; so is a burst of typing. */
  readonly group: OperationId;
  readonly kind: OperationKind;
  readonly actor: Actor;
  readonly description: string;
  /** Milliseconds since 1970. */
  readonly created_at: number;
  readonly turn_id?: string;
  /** The groups it takes back. */
  readonly undoes?: readonly Undone[];
  /** The undos it takes back. */
  readonly redoes?: readonly OperationId[];
  readonly diff: Diff;
}

export type OperationId = Id<"operation">;

/** How much of a group an undo took back: both halves, or one of them. */
export interface Undone {
  readonly group: OperationId;
  readonly scope: UndoScope;
}

export type UndoScope = "both" | "conversation" | "files";

export interface Actor {
  /** `editor`: the user, outside Retake. `hook`: a program that used the API. */
  readonly kind: "user" | "agent" | "editor" | "hook" | "sync" | "system";
  readonly name?: string;
}

/**
 * How a kind of operation behaves in the history.
 *
 * - `step`: a change that `undo --step` takes back.
 * - `whole`: a step that changes the conversation or the files as a whole; `undo` counts it too.
 * - `turn`: part of a turn, which `undo` takes back as one.
 * - `note`: records a fact that no user asked for. It is never a step to take back, and it does not end the redo.
 * - `undo`, `redo`: move along the history instead of adding to it.
 */
export type Role = "step" | "whole" | "turn" | "note" | "undo" | "redo";

export const OPERATION_ROLES = {
  "thread-created": "note",
  "entry-edited": "step",
  "entry-shown": "step",
  "entry-inserted": "step",
  "entry-removed": "step",
  "entry-role-changed": "step",
  "entries-shown": "step",
  "entries-cleared": "whole",
  "entries-truncated": "whole",
  "entries-compressed": "whole",
  "entries-replaced": "whole",
  "entries-imported": "whole",
  "roles-changed": "step",
  "setting-changed": "step",
  "settings-changed": "step",
  "context-changed": "step",
  "thread-changed": "step",
  "thread-saved": "step",
  "take-branched": "step",
  "take-switched": "step",
  "take-kept": "note",
  "take-renamed": "step",
  "take-promoted": "step",
  "take-deleted": "step",
  "session-reset": "whole",
  "turn-started": "turn",
  "turn-streamed": "turn",
  "tool-proposed": "turn",
  "tool-started": "turn",
  "tool-progressed": "turn",
  "tool-ended": "turn",
  "turn-finished": "turn",
  "turn-imported": "turn",
  "files-edited": "note",
  "git-noted": "note",
  "files-restored": "whole",
  undone: "undo",
  redone: "redo",
  jumped: "whole",
  reverted: "whole",
  "heads-merged": "step",
} as const satisfies Record<string, Role>;

export type OperationKind = keyof typeof OPERATION_ROLES;

export function roleOf(operation: Pick<Operation, "kind">): Role {
  return OPERATION_ROLES[operation.kind];
}
