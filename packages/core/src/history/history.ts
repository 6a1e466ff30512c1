import type { Operation, OperationId } from "../session/operation.ts";
import type { TakeId } from "../session/record.ts";
import { apply, EMPTY_STATE, type State } from "../session/state.ts";

/**
 * What history is decided on: the state a thread stands at, and its operations for the asking. A
 * store reads operations when they are asked for; nothing here ever needs all of them.
 */
export interface History {
  readonly state: State;
  operation(id: OperationId): Operation | undefined;
  /** The operations of a group, oldest first. */
  group(id: OperationId): readonly Operation[];
  stateAt(id: OperationId): State;
  /**
   * The operations that lead to one, newest first: up to a version those made in a take and those of the thread as a whole,
   * and of all versions those that exchanged the take's space. A store has an index of them; where there is none, or it
   * does not know the line, the line is walked.
   */
  lineOf?(head: OperationId, take: TakeId, until: number): Iterable<Operation> | undefined;
}

/** An operation that the log should hold and does not: a broken promise of the store, not of the user. */
export class MissingOperationError extends Error {
  readonly code = "missing-operation";
  readonly operation: OperationId;
  constructor(operation: OperationId) {
    super(`The history is damaged: operation ${operation} is missing.`);
    this.operation = operation;
  }
}

/**
 * A thread's operations in memory. The states of every few hundred operations are kept (they share
 * what they have in common), so that a past state costs that many operations at most.
 */
export class MemoryHistory implements History {
  readonly #operations = new Map<OperationId, Operation>();
  readonly #groups = new Map<OperationId, Operation[]>();
  readonly #kept = new Map<OperationId, State>();
  readonly #spacing: number;
  state: State;

  readonly #older: Pick<History, "group" | "operation"> | undefined;

  /** With a state that was saved, the operations before it are asked of `older` when they are needed. */
  constructor(state: State = EMPTY_STATE, older?: Pick<History, "group" | "operation">, spacing = 256) {
    this.state = state;
    this.#spacing = spacing;
    this.#older = older;
    if (state.head !== null) this.#kept.set(state.head, state);
  }

  operation(id: OperationId): Operation | undefined {
    return this.#operations.get(id) ?? this.#older?.operation(id);
  }

  group(id: OperationId): readonly Operation[] {
    return [...(this.#older?.group(id) ?? []), ...(this.#groups.get(id) ?? [])];
  }

  commit(operation: Operation): State {
    this.state = apply(this.state, operation, (id) => this.stateAt(id));
    this.add(operation);
    if (operation.version % this.#spacing === 0) this.#kept.set(operation.id, this.state);
    return this.state;
  }

  /** Takes in an operation of another line, which a merge may refer to. */
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
      const kept = this.#kept.get(at);
      if (kept) {
        state = kept;
        break;
      }
      const operation: Operation | undefined = this.operation(at);
      if (!operation) throw new MissingOperationError(at);
      missing.push(operation);
      at = operation.parents[0];
    }
    for (const operation of missing.reverse()) state = apply(state, operation, (past) => this.stateAt(past));
    return state;
  }
}

/** The operations from a head back to another, newest first and without that one; what was merged in is passed by. */
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
