import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"deleteSyncAccount"> = ({ runtime }) =>
  withSync(runtime, async ({ account }) => {
    await account.deleteVault();
    return {};
  });
