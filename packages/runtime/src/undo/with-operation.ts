import { apply, type History, type Operation, refuse } from "@retake/core";
import { RefusedError } from "./thread-files.ts";

/** Another process changed the thread after an operation was built and before it was committed. */
class MovedError extends RefusedError {
  constructor() {
    super(refuse("stale-version", "The thread was changed at the same time. Nothing was changed. Try again."));
  }
}

/** Throws where an operation does not follow a history any more. */
export function requireNext({ state }: Pick<History, "state">, { parents }: Operation): void {
  if (state.head !== (parents[0] ?? null)) throw new MovedError();
}

/**
 * A history with one more operation that is not committed yet: a decision made on it can be committed together with it.
 */
export function withOperation(history: History, operation: Operation | undefined): History {
  if (!operation) return history;
  requireNext(history, operation);
  const state = apply(history.state, operation, (id) => history.stateAt(id));
  return {
    state,
    operation: (id) => (id === operation.id ? operation : history.operation(id)),
    group: (id) => (id === operation.group ? [...history.group(id), operation] : history.group(id)),
    stateAt: (id) => (id === operation.id ? state : history.stateAt(id)),
  };
}

/** Another process may edit the thread while the files are looked at: what is decided on them is decided again. */
export async function untilUnmoved<T>(work: () => Promise<T>): Promise<T> {
  for (let left = MOST_TRIES - 1; ; left -= 1)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof MovedError) || left === 0) throw error;
    }
}

const MOST_TRIES = 5;
