import type { RecordValue, SpaceChange } from "../session/diff.ts";
import { type Operation, type OperationId, type Role, roleOf, type UndoScope } from "../session/operation.ts";
import { kindOf, type RecordId, type TakeId, takeOf } from "../session/record.ts";
import { treeIn } from "./branch-cuts.ts";
import type { Step } from "./walk.ts";

/**
 * The operations that are taken back together, with all that must be known to do it: the value
 * each record had before the group touched it first and after it touched it last.
 */
export interface Group {
  readonly id: OperationId;
  readonly role: Role;
  readonly turn_id: string | undefined;
  /** It is in the history of every take, so what is done to it must be too. */
  readonly thread: boolean;
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
  /** A turn that the branch left out: in this take it was never there. */
  readonly leftOut: boolean;
}

export interface Transition {
  readonly before: string;
  readonly after: string;
}

export function newGroup({ operation, inherited, turnLeftOut }: Step, scope: UndoScope): Group {
  return {
    id: operation.group,
    role: roleOf(operation),
    turn_id: operation.turn_id,
    thread: operation.scope === "thread" && !inherited,
    description: operation.description,
    scope,
    records: new Map(),
    files: [],
    spaces: [],
    operations: 0,
    complete: false,
    leftOut: turnLeftOut,
  };
}

/** Takes one more operation of a group in; the walk goes backwards, so each is older than the last. */
export function extend(group: Group, step: Step): void {
  group.operations += 1;
  if (step.operation.id === group.id) group.complete = true;
  group.description = step.operation.description;
  // The files of a take that comes or goes come and go with it.
  const exchanged = new Set(step.operation.diff.spaces?.map((change) => change.take));
  for (const { id, before, after } of step.changes) {
    if (kindOf(id) === "workspace" && takeOf(id) === step.take && !exchanged.has(step.take)) {
      if (!step.filesLeftOut) group.files.push({ before: treeIn(before), after: treeIn(after) });
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
 *
 * A take and its branches have groups in common, and each may undo them for itself. So what was undone in
 * another take counts only for groups of the thread as a whole, and only where neither take inherited them.
 */
export class UndoneGroups {
  readonly #here = new Map<OperationId, UndoScope>();
  readonly #elsewhere = new Map<TakeId, Map<OperationId, UndoScope>>();
  /** The takes whose beginning the walk has passed: what is older they inherited. */
  readonly #begun = new Map<TakeId, OperationId>();
  readonly #cancelled = new Map<OperationId, UndoScope>();

  /** Must see every operation of the walk, in its order; `taken` is what is being taken back of it just now. */
  pass(step: Step, taken?: UndoScope): void {
    const { operation, space } = step;
    for (const { take, before, after } of operation.diff.spaces ?? []) {
      if (before !== null || after === null || after === "empty" || after.take === take) continue;
      this.#begun.set(take, operation.id);
      if (take === space) this.#elsewhere.clear();
    }
    const inForce = without(without(this.left(step, "both"), taken), this.#cancelled.get(operation.id));
    if (inForce === undefined) return;
    for (const undo of operation.redoes ?? []) this.#cancelled.set(undo, inForce);
    const elsewhere = this.#elsewhere.get(operation.take) ?? new Map<OperationId, UndoScope>();
    if (operation.take !== space && operation.undoes) this.#elsewhere.set(operation.take, elsewhere);
    const undone = operation.take === space ? this.#here : elsewhere;
    for (const { group, scope } of operation.undoes ?? []) {
      const still = inForce === "both" ? scope : scope === "both" || scope === inForce ? inForce : undefined;
      if (still !== undefined) undone.set(group, union(undone.get(group), still));
    }
  }

  /** An undo that was redone. */
  isCancelled(operation: Operation): boolean {
    return this.#cancelled.has(operation.id);
  }

  /** What of the wanted scope is not undone yet of an operation's group; undefined when nothing is left. */
  left({ operation: { id, group, scope }, filesLeftOut }: Step, wanted: UndoScope): UndoScope | undefined {
    let left = without(without(wanted, filesLeftOut ? "files" : undefined), this.#here.get(group));
    if (scope !== "thread") return left;
    for (const [take, undone] of this.#elsewhere) {
      const inherited = (this.#begun.get(take) ?? id) !== id;
      if (!inherited) left = without(left, undone.get(group));
    }
    return left;
  }
}

function union(a: UndoScope | undefined, b: UndoScope): UndoScope {
  return a === undefined || a === b ? b : "both";
}

function without(scope: UndoScope | undefined, taken: UndoScope | undefined): UndoScope | undefined {
  if (taken === undefined || scope === undefined) return scope;
  if (taken === "both" || taken === scope) return undefined;
  if (scope !== "both") return scope;
  return taken === "files" ? "conversation" : "files";
}
