import { isRefusal, type Refusal, type State } from "@retake/core";
import type { Runtime } from "../../host/runtime.ts";
import { findPoint } from "../../names/find-point.ts";
import type { NameScope } from "../../store/name-index.ts";

/** Looks at a thread as it is, or as it was at a point; nothing is committed, and nothing on disk changes. */
export async function readAt<T>(
  runtime: Runtime,
  thread: string,
  point: string | undefined,
  look: (state: State, scope: NameScope) => T,
): Promise<T | Refusal> {
  runtime.thread(thread);
  if (point !== undefined) {
    const found = runtime.store.names(thread, (scope) => findPoint(scope, point));
    if (isRefusal(found)) return found;
    await runtime.store.reach(thread, found.operation);
  }
  return runtime.store.names(thread, (scope) => {
    const { history } = scope;
    if (point === undefined) return look(history.state, scope);
    const found = findPoint(scope, point);
    if (isRefusal(found)) return found;
    return look(found.operation === history.state.head ? history.state : history.stateAt(found.operation), scope);
  });
}
