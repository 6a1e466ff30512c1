import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"getSyncAccount"> = ({ runtime }) =>
  withSync(runtime, async (sync) => {
    const { threads, synced_threads } = sync.status();
    return { ...(await sync.account.contents()), threads: threads.length + synced_threads };
  });
