import { ActionError } from "../../host/action-error.ts";
import type { Runtime } from "../../host/open-runtime.ts";

/** An operation of another thread is none of this one's. */
export function requireOperation(runtime: Runtime, thread: string, id: string): void {
  runtime.thread(thread);
  if (!runtime.store.hasOperation(thread, id))
    throw new ActionError("not-found", `There is no operation ${id} in this thread. Nothing was changed.`);
}
