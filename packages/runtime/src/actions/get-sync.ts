import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"getSync"> = ({ runtime }) => withSync(runtime, (sync) => sync.status());
