import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"unshareThread"> = ({ runtime, params: { id } }) =>
  withSync(runtime, async ({ shares }) => ({ ended: await shares.unshare(runtime.thread(id).id) }));
