import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"listShares"> = ({ runtime }) =>
  withSync(runtime, async ({ shares }) => ({ shares: await shares.list() }));
