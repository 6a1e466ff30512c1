import { type History, isRefusal, type Refusal, type State } from "@retake/core";
import { resolvePoint } from "../../answers/resolve-point.ts";
import type { Runtime } from "../../host/open-runtime.ts";

/** Looks at a thread as it is, or as it was at a point; nothing is committed, and nothing on disk changes. */
export function readAt<T>(
  runtime: Runtime,
  thread: string,
  point: string | undefined,
  look: (state: State, history: History) => T,
): T | Refusal {
  runtime.thread(thread);
  if (point === undefined) return runtime.read(thread, (history) => look(history.state, history));
  const operation = resolvePoint(runtime.store, thread, point);
  if (isRefusal(operation)) return operation;
  return runtime.read(thread, (history) =>
    look(operation === history.state.head ? history.state : history.stateAt(operation), history),
  );
}
