import { type History, isRefusal, type Refusal, type State } from "@retake/core";
import { type Host, resolvePoint } from "@retake/runtime";

/** Looks at a thread as it is, or as it was at a point; nothing is committed, and nothing on disk changes. */
export function readAt<T>(
  host: Host,
  thread: string,
  point: string | undefined,
  look: (state: State, history: History) => T,
): T | Refusal {
  host.thread(thread);
  if (point === undefined) return host.read(thread, (history) => look(history.state, history));
  const operation = resolvePoint(host.home, thread, point);
  if (isRefusal(operation)) return operation;
  return host.read(thread, (history) =>
    look(operation === history.state.head ? history.state : history.stateAt(operation), history),
  );
}
