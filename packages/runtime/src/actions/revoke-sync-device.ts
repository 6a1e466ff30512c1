import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"revokeSyncDevice"> = ({ runtime, params: { device } }) =>
  withSync(runtime, async ({ account }) => {
    await account.revoke(device);
    return {};
  });
