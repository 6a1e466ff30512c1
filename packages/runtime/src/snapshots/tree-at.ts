import { activeTake, type History, MissingOperationError, type OperationId, type TakeId, tree } from "@retake/core";

/**
 * The tree of a thread's files right after an operation: in the given take, or in the one that the operation led to.
 */
export function treeAt(history: History, id: OperationId, take?: TakeId): string {
  const operation = history.operation(id);
  if (!operation) throw new MissingOperationError(id);
  const past = history.stateAt(id);
  if (take !== undefined && past.spaces.has(take)) return tree(past, take);
  // A branch or a switch is made in one take and leads to another one.
  const own = operation.scope === "take" && past.spaces.has(operation.take);
  return tree(past, own ? operation.take : activeTake(past));
}
