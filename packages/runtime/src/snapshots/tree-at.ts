import { activeTake, type History, MissingOperationError, type OperationId, type TakeId, tree } from "@retake/core";

/** The files that a thread stood at right after an operation, as the log names them: in a take, or where the operation led. */
export function treeAt(history: History, id: OperationId, take?: TakeId): string {
  const operation = history.operation(id);
  if (!operation) throw new MissingOperationError(id);
  const past = history.stateAt(id);
  if (take !== undefined && past.spaces.has(take)) return tree(past, take);
  // A branch or a switch is made in one take and leads to another.
  const own = operation.scope === "take" && past.spaces.has(operation.take);
  return tree(past, own ? operation.take : activeTake(past));
}
