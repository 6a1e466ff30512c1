import type { Operation, OperationId } from "../session/operation.ts";
import { isRefusal, type Refusal, refuse } from "../session/refusal.ts";
import { apply, type State } from "../session/state.ts";
import { relate } from "./merge-ancestors.ts";
import { type Hashes, type Head, type Lines, type MergeConflict, type Sibling, TwoHeads } from "./merge-two-heads.ts";

/**
 * Several devices have changed one thread, and their lines meet again. No merge is silent: a take that only one line
 * changed gets that line's version; a take that both changed stays as it is on the main line, and the other line's
 * version becomes a sibling take beside it (L7).
 *
 * A merge depends only on the heads and their order. Its id, its time and the ids of sibling takes are derived from the
 * heads; it uses no clock, no random numbers and nothing of the device that makes it. So devices that merge the same
 * heads in the same order make the same operation, byte for byte.
 *
 * Its diff is against the main line's head, which is its first parent, and names spaces of the other head, its second.
 * Undo passes over a merge.
 */
export interface Merge {
  readonly kind: "merge";
  /** The head of all lines after the merge. */
  readonly head: Head;
  /** The operations that lead to it, to be stored in this order; empty when one of the heads follows all others. */
  readonly operations: readonly { readonly operation: Operation; readonly hash: string }[];
  /** Takes that were made because both lines had changed the same one. */
  readonly siblings: readonly Sibling[];
  /** Facts of the thread that both lines changed: the main line's values stay. */
  readonly conflicts: readonly MergeConflict[];
}

/** Merges heads of one thread. The first is the main line; the others are merged into it in the given order. */
export function mergeHeads(history: Lines, heads: readonly Head[], hashes: Hashes): Merge | Refusal {
  const [first, ...others] = heads;
  if (!first) return refuse("invalid-input", "A merge needs at least one head. Nothing was changed.");
  const lines = new MergedLines(history);
  const merge = { operations: [] as Merge["operations"][number][], siblings: [] as Sibling[] };
  const conflicts: MergeConflict[] = [];
  let head = first;
  for (const other of others) {
    const missing = [head, other].find(({ operation }) => !lines.operation(operation));
    if (missing) return refuse("not-found", `There is no operation ${missing.operation}. Nothing was changed.`);
    const relation = relate(lines, head.operation, other.operation);
    if (relation.kind === "unrelated")
      return refuse("invalid-input", "The heads are not of one thread. Nothing was changed.");
    if (relation.kind === "ahead") head = other;
    if (relation.kind !== "diverged") continue;
    const result = new TwoHeads(lines, head, other, hashes).merge();
    if (isRefusal(result)) return result;
    const { operation } = result;
    lines.add(operation);
    head = { operation: operation.id, hash: hashes.operation(operation, [head.hash, other.hash]) };
    merge.operations.push({ operation, hash: head.hash });
    merge.siblings.push(...result.siblings);
    conflicts.push(...result.conflicts);
  }
  return { kind: "merge", head, ...merge, conflicts };
}

/** A history with merges that are not stored yet. */
class MergedLines implements Lines {
  readonly #history: Lines;
  readonly #merges = new Map<OperationId, { readonly operation: Operation; readonly state: State }>();

  constructor(history: Lines) {
    this.#history = history;
  }

  operation(id: OperationId): Operation | undefined {
    return this.#merges.get(id)?.operation ?? this.#history.operation(id);
  }

  stateAt(id: OperationId): State {
    return this.#merges.get(id)?.state ?? this.#history.stateAt(id);
  }

  add(operation: Operation): void {
    const state = apply(this.stateAt(operation.parents[0] ?? ""), operation, (id) => this.stateAt(id));
    this.#merges.set(operation.id, { operation, state });
  }
}
