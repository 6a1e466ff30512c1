import { ActionError } from "../host/action-error.ts";
import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"shareThread"> = ({ runtime, params: { id }, body: { readers = "link" }, signal }) => {
  const { private: isPrivate } = runtime.thread(id);
  if (isPrivate)
    throw new ActionError(
      "invalid-input",
      "A private thread stays on this machine, so it cannot be shared. Nothing was sent.",
    );
  return withSync(runtime, async (sync) => {
    // The server takes shares of threads that it has.
    await sync.now(signal);
    return { share: await sync.shares.share(id, readers) };
  });
};
