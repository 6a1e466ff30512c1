import type { Action } from "./action.ts";
import { deviceName, withSync } from "./shared/sync-of.ts";

export const action: Action<"recoverSync"> = ({ runtime, body: { url, name, words } }) =>
  withSync(runtime, async ({ account }) => {
    await account.recover({ url, name: deviceName(name) }, words);
    return {};
  });
