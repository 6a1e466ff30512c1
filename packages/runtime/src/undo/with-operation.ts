import { apply, type History, type Operation } from "@retake/core";

/**
 * A history with one more operation that is not committed yet: a decision made on it can be committed together with it.
 */
export function withOperation(history: History, operation: Operation | undefined): History {
  if (!operation) return history;
  const state = apply(history.state, operation, (id) => history.stateAt(id));
  return {
    state,
    operation: (id) => (id === operation.id ? operation : history.operation(id)),
    group: (id) => (id === operation.group ? [...history.group(id), operation] : history.group(id)),
    stateAt: (id) => (id === operation.id ? state : history.stateAt(id)),
  };
}
