import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"syncNow"> = ({ runtime, signal }) => withSync(runtime, (sync) => sync.now(signal));
