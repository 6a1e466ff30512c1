import { hostname } from "node:os";
import { ActionError } from "../../host/action-error.ts";
import type { Runtime } from "../../host/runtime.ts";
import type { Sync } from "../../sync/sync.ts";
import { type Answered, answer } from "../action.ts";

/** Runs a task with sync. What goes wrong there has a code and words for the user. */
export async function withSync<T>(runtime: Runtime, task: (sync: Sync) => T | Promise<T>): Promise<Answered<T>> {
  const sync = await runtime.sync.load();
  try {
    const done = await task(sync);
    await runtime.sync.announce();
    return answer(done);
  } catch (error) {
    if ((error as Error).name !== "SyncError") throw error;
    const { code, message } = error as Error & { readonly code: string };
    throw new ActionError(`sync-${code}`, message, { cause: error });
  }
}

/** The name of this device where the user gives none. */
export function deviceName(name: string | undefined): string {
  return name ?? (hostname().slice(0, 100) || "a machine");
}
