import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"rotateSyncKey"> = ({ runtime, signal }) =>
  withSync(runtime, async (sync) => {
    // Keys of threads that others have made since the last sync are wrapped anew too.
    await sync.now(signal);
    return sync.account.rotate();
  });
