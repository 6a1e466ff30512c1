import type { Operation, OperationId } from "../session/operation.ts";
import type { TakeId } from "../session/record.ts";
import { apply, EMPTY_STATE, type State } from "../session/state.ts";

/**
 * The input of every decision about history: the current state of a thread, and its operations on request. A store
 * reads operations only when they are requested; no decision needs all of them.
 */
export interface History {
  readonly state: State;
  operation(id: OperationId): Operation | undefined;
  /** The operations of a group, oldest first. */
  group(id: OperationId): readonly Operation[];
  stateAt(id: OperationId): State;
  /**
   * The operations on the line to `head`, newest first: operations of the take and of the whole thread up to version
   * `until`, and operations of any version that replaced the take's space. A store answers from an index. Without an
   * index, or where it does not cover this line, the caller walks the line.
   */
  lineOf?(head: OperationId, take: TakeId, until: number): Iterable<Operation> | undefined;
  /** The last operation on the line to `head` that changed the content of a take, by the same index. */
  lastOf?(head: OperationId, take: TakeId): Operation | undefined;
}

/** The log lacks an operation that it should hold. The store is damaged; the user did nothing wrong. */
export class MissingOperationError extends Error {
  readonly code = "missing-operation";
  readonly operation: OperationId;
  constructor(operation: OperationId) {
    super(`The history is damaged: operation ${operation} is missing.`);
    this.operation = operation;
  }
}

/**
 * A thread's operations in memory. It keeps the state of every few hundred operations, so that a past state is folded
 * from that many operations at most. The states share their common parts.
 */
export class MemoryHistory implements History {
  readonly #operations = new Map<OperationId, Operation>();
  readonly #groups = new Map<OperationId, Operation[]>();
  readonly #states = new Map<OperationId, State>();
  readonly #spacing: number;
  state: State;

  readonly #older: Pick<History, "group" | "operation"> | undefined;

  /** `state` may come from a checkpoint; operations before it are then requested from `older`. */
  constructor(state: State = EMPTY_STATE, older?: Pick<History, "group" | "operation">, spacing = 256) {
    this.state = state;
    this.#spacing = spacing;
    this.#older = older;
    if (state.head !== null) this.#states.set(state.head, state);
  }

  operation(id: OperationId): Operation | undefined {
    return this.#operations.get(id) ?? this.#older?.operation(id);
  }

  group(id: OperationId): readonly Operation[] {
    return [...(this.#older?.group(id) ?? []), ...(this.#groups.get(id) ?? [])];
  }

  commit(operation: Operation): State {
    this.state = apply(this.state, operation, (id) => this.#source(id));
    this.add(operation);
    if (operation.version % this.#spacing === 0) this.#states.set(operation.id, this.state);
    return this.state;
  }

  /** Adds an operation of another line, which a merge may refer to. */
  add(operation: Operation): void {
    this.#operations.set(operation.id, operation);
    const group = this.#groups.get(operation.group);
    if (group) group.push(operation);
    else this.#groups.set(operation.group, [operation]);
  }

  stateAt(id: OperationId): State {
    if (id === this.state.head) return this.state;
    const missing: Operation[] = [];
    let state: State = EMPTY_STATE;
    for (let at: OperationId | undefined = id; at !== undefined; ) {
      const kept = this.#states.get(at);
      if (kept) {
        state = kept;
        break;
      }
      const operation: Operation | undefined = this.operation(at);
      if (!operation) throw new MissingOperationError(at);
      missing.push(operation);
      at = operation.parents[0];
    }
    for (const operation of missing.reverse()) state = apply(state, operation, (past) => this.#source(past));
    return state;
  }

  /**
   * A state that an operation takes a space from. It is kept: a merge refers to a state that the merges before it lead to, so
   * folding them anew would take twice as long with each merge.
   */
  #source(id: OperationId): State {
    const state = this.stateAt(id);
    this.#states.set(id, state);
    return state;
  }
}

/**
 * The operations from `head` back to another one, which is excluded, newest first. Follows first parents only, so
 * operations that a merge brought in are skipped.
 */
export function* line(
  history: Pick<History, "operation">,
  head: OperationId | null,
  until?: OperationId,
): IterableIterator<Operation> {
  for (let at = head; at !== null && at !== until; ) {
    const operation = history.operation(at);
    if (!operation) throw new MissingOperationError(at);
    yield operation;
    at = operation.parents[0] ?? null;
  }
}
