import { type Operation, roleOf } from "@retake/core";
import type { Call } from "./command.ts";

/** The line that says how an operation is taken back. */
export function takeBackHint(call: Call, operation: Operation): string {
  const { thread } = call.options;
  const where = typeof thread === "string" ? ` --thread ${thread}` : "";
  return call.output.style("dim", `  Take this back: ${commandFor(call, operation)}${where}`);
}

function commandFor(call: Call, operation: Operation): string {
  const role = roleOf(operation);
  if (role === "undo") return "retake redo";
  const step = role === "redo" ? roleOf(redone(call, operation)) === "step" : role === "step";
  return step ? "retake undo --step" : "retake undo";
}

/** What a redo brought back: the last of the steps that the undo it took back had taken. */
function redone({ workspace, thread }: Call, operation: Operation): Operation {
  return workspace.store.read(thread, (history) => {
    const undo = operation.redoes?.map((id) => history.operation(id)).at(-1);
    const group = undo?.undoes?.[0]?.group;
    return (group === undefined ? undefined : history.operation(group)) ?? operation;
  });
}
