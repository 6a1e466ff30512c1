import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"removeFromSync"> = ({ runtime, params: { id } }) =>
  withSync(runtime, ({ account }) => account.removeThread(runtime.thread(id).id));
