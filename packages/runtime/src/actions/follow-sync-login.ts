import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"followSyncLogin"> = ({ runtime }) =>
  withSync(runtime, async ({ account }) => ({ state: await account.followLink() }));
