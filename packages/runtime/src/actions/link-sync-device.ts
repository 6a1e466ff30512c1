import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"linkSyncDevice"> = ({ runtime, body: { code, words } }) =>
  withSync(runtime, ({ account }) => account.approveLink(code, words));
