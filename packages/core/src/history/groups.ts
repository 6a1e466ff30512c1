import type { RecordValue, SpaceChange } from "../session/diff.ts";
import { type Operation, type OperationId, type Role, roleOf, type UndoScope } from "../session/operation.ts";
import { kindOf, type RecordId } from "../session/record.ts";
import type { Step } from "./walk.ts";

/**
 * The operations that are taken back together, with all that must be known to do it: the value
 * each record had before the group touched it first and after it touched it last.
 */
export interface Group {
  readonly id: OperationId;
  readonly role: Role;
  readonly turn_id: string | undefined;
  /** What its first operation says, once the walk has come to it. */
  description: string;
  /** What is still to be taken back of it. */
  readonly scope: UndoScope;
  readonly records: Map<RecordId, { before: RecordValue; after: RecordValue }>;
  /** How the files went from tree to tree, newest first. */
  readonly files: Transition[];
  readonly spaces: SpaceChange[];
  /** The number of its operations that the walk has passed. */
  operations: number;
  /** Whether the walk has come to its first operation. */
  complete: boolean;
}

export interface Transition {
  readonly before: string;
  readonly after: string;
}

export function newGroup(operation: Operation, scope: UndoScope): Group {
  return {
    id: operation.group,
    role: roleOf(operation),
    turn_id: operation.turn_id,
    description: operation.description,
    scope,
    records: new Map(),
    files: [],
    spaces: [],
    operations: 0,
    complete: false,
  };
}

/** Takes one more operation of a group in; the walk goes backwards, so each is older than the last. */
export function extend(group: Group, step: Step): void {
  group.operations += 1;
  if (step.operation.id === group.id) group.complete = true;
  group.description = step.operation.description;
  for (const { id, before, after } of step.changes) {
    if (kindOf(id) === "workspace") {
      group.files.push({ before: treeIn(before), after: treeIn(after) });
      continue;
    }
    // The agent's own record only says what it is doing right now.
    if (kindOf(id) === "agent") continue;
    const known = group.records.get(id);
    if (known) known.before = before;
    else group.records.set(id, { before, after });
  }
  if (!step.inherited) group.spaces.push(...(step.operation.diff.spaces ?? []));
}

/**
 * Which groups are undone, told by the undo and redo operations that the walk has passed. They stand
 * later in the log than what they undo, so the walk meets them first.
 */
export class UndoneGroups {
  readonly #undone = new Map<OperationId, UndoScope>();
  readonly #cancelled = new Set<OperationId>();

  /** Must see every operation of the walk, in its order. */
  pass(operation: Operation): void {
    if (this.isCancelled(operation) || this.left(operation.group, "both") === undefined) return;
    for (const undo of operation.redoes ?? []) this.#cancelled.add(undo);
    for (const { group, scope } of operation.undoes ?? []) {
      const before = this.#undone.get(group);
      this.#undone.set(group, before === undefined || before === scope ? scope : "both");
    }
  }

  /** An undo that was redone. */
  isCancelled(operation: Operation): boolean {
    return this.#cancelled.has(operation.id);
  }

  /** What of the wanted scope is not undone yet; undefined when nothing is left. */
  left(group: OperationId, wanted: UndoScope): UndoScope | undefined {
    const undone = this.#undone.get(group);
    if (undone === undefined) return wanted;
    if (undone === "both" || undone === wanted) return undefined;
    return wanted === "both" ? (undone === "files" ? "conversation" : "files") : wanted;
  }
}

function treeIn(record: RecordValue): string {
  return (record?.["tree"] ?? "") as string;
}
