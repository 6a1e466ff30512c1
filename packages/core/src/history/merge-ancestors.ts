import type { Operation, OperationId } from "../session/operation.ts";
import type { State } from "../session/state.ts";
import { type History, MissingOperationError } from "./history.ts";

/** How two heads of one thread stand to each other. */
export type Relation =
  | { readonly kind: "same" }
  /** The other line is part of ours. */
  | { readonly kind: "behind" }
  /** Our line is part of the other one, which only has to be adopted. */
  | { readonly kind: "ahead" }
  /** `common`: the latest operations that both follow, highest version first; several after crossing merges. */
  | { readonly kind: "diverged"; readonly common: readonly OperationId[] }
  /** They have no operation in common: they belong to different threads. */
  | { readonly kind: "unrelated" };

export function relate(history: Pick<History, "operation">, ours: OperationId, theirs: OperationId): Relation {
  if (ours === theirs) return { kind: "same" };
  const common = commonAncestors(history, ours, theirs);
  if (common[0] === theirs) return { kind: "behind" };
  if (common[0] === ours) return { kind: "ahead" };
  return common.length === 0 ? { kind: "unrelated" } : { kind: "diverged", common };
}

const OURS = 1;
const THEIRS = 2;
const BOTH = OURS | THEIRS;
/** An ancestor of a common ancestor that was already found. */
const BELOW = 4;

/**
 * The common ancestors that are not ancestors of other common ancestors, over all parents.
 *
 * The walk visits the highest version first. A version is higher than those of all its ancestors, so the walk has
 * visited every descendant of an operation before the operation itself; its marks are then complete.
 */
function commonAncestors(history: Pick<History, "operation">, a: OperationId, b: OperationId): OperationId[] {
  const marks = new Map<OperationId, number>([
    [a, OURS],
    [b, THEIRS],
  ]);
  const open = new Map<OperationId, Operation>([a, b].map((id) => [id, operationIn(history, id)]));
  const found: Operation[] = [];
  while ([...open.keys()].some((id) => !(Number(marks.get(id)) & BELOW))) {
    const next = highest(open.values());
    open.delete(next.id);
    let mark = Number(marks.get(next.id));
    if (mark === BOTH) {
      found.push(next);
      mark |= BELOW;
    }
    for (const parent of next.parents) {
      marks.set(parent, Number(marks.get(parent) ?? 0) | mark);
      if (!open.has(parent)) open.set(parent, operationIn(history, parent));
    }
  }
  return found.sort(byVersion).map(({ id }) => id);
}

function highest(operations: Iterable<Operation>): Operation {
  const [first, ...others] = [...operations];
  return others.reduce((one, other) => (byVersion(other, one) < 0 ? other : one), first as Operation);
}

function byVersion(one: Operation, other: Operation): number {
  return other.version - one.version || (one.id < other.id ? -1 : 1);
}

function operationIn(history: Pick<History, "operation">, id: OperationId): Operation {
  const operation = history.operation(id);
  if (!operation) throw new MissingOperationError(id);
  return operation;
}

/**
 * The values that two heads had in common, for one part of the state at a time (a take's space, a record, a field).
 *
 * With one lowest common ancestor the common value is the part's value there. After crossing merges there are several:
 *
 *     a ──── m1 = a + b ── ours        both a and b are lowest common ancestors
 *       ╲  ╱
 *       ╱  ╲
 *     b ──── m2 = b + a ── theirs
 *
 * Then every value that the part has at one of them is common, with one exception: when one ancestor has changed the
 * part since the ancestors diverged and the other has not, the unchanged value does not count, because both merges have
 * replaced it already.
 *
 * A side whose value is common has made no change of its own, so taking the other side's value loses nothing: the other
 * side also follows the operation with the common value, and either changed it or kept it as a sibling take.
 */
export class CommonValues {
  readonly #history: Pick<History, "operation" | "stateAt">;
  readonly #ancestors = new Map<string, readonly OperationId[]>();
  readonly #states = new Map<OperationId, State>();
  readonly #heads: readonly [OperationId, OperationId];

  constructor(history: Pick<History, "operation" | "stateAt">, ours: OperationId, theirs: OperationId) {
    this.#history = history;
    this.#heads = [ours, theirs];
  }

  /** Whether a value of a part is common to both sides. */
  has<V>(value: V, read: (state: State) => V, same: (one: V, other: V) => boolean): boolean {
    return this.#values(...this.#heads, read, same).some((each) => same(each, value));
  }

  #values<V>(a: OperationId, b: OperationId, read: (state: State) => V, same: (one: V, other: V) => boolean): V[] {
    const all = this.#common(a, b).map((operation) => ({ operation, value: read(this.#stateAt(operation)) }));
    const [first] = all;
    if (!first || all.every(({ value }) => same(value, first.value))) return first ? [first.value] : [];
    const isPutAside = (one: (typeof all)[number]) =>
      all.some((other) => {
        if (same(one.value, other.value)) return false;
        const before = this.#values(one.operation, other.operation, read, same);
        return before.some((each) => same(each, one.value)) && !before.some((each) => same(each, other.value));
      });
    const rest = all.filter((each) => !isPutAside(each));
    return (rest.length > 0 ? rest : all).map(({ value }) => value);
  }

  #common(a: OperationId, b: OperationId): readonly OperationId[] {
    const key = `${a} ${b}`;
    const found = this.#ancestors.get(key) ?? commonAncestors(this.#history, a, b);
    this.#ancestors.set(key, found);
    return found;
  }

  #stateAt(operation: OperationId): State {
    const state = this.#states.get(operation) ?? this.#history.stateAt(operation);
    this.#states.set(operation, state);
    return state;
  }
}
