import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"logoutSync"> = ({ runtime }) => withSync(runtime, ({ account }) => account.leave());
