import { type History, type Operation, roleOf } from "@retake/core";

type Operations = Pick<History, "operation">;

/** The command that takes an operation back: an undo, an undo of one step, or a redo. */
export type TakenBackBy = "undo" | "undo-step" | "redo";

/** `history` is read for a redo alone. */
export function takenBackBy(history: Operations, operation: Operation): TakenBackBy {
  const role = roleOf(operation);
  if (role === "undo") return "redo";
  const step = role === "redo" ? roleOf(redone(history, operation)) === "step" : role === "step";
  return step ? "undo-step" : "undo";
}

/** The operation that a redo brought back: the last step that its undo had taken back. */
function redone(history: Operations, operation: Operation): Operation {
  const undo = operation.redoes?.map((id) => history.operation(id)).at(-1);
  const group = undo?.undoes?.[0]?.group;
  return (group === undefined ? undefined : history.operation(group)) ?? operation;
}
