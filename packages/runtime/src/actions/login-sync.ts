import type { Action } from "./action.ts";
import { deviceName, withSync } from "./shared/sync-of.ts";

export const action: Action<"loginSync"> = ({ runtime, body: { url, name, invitation } }) =>
  withSync(runtime, async ({ account }) => {
    const login = { url, name: deviceName(name) };
    if (invitation === undefined) return { state: "linking" as const, ...(await account.requestLink(login)) };
    return { state: "joined" as const, ...(await account.join(login, invitation)) };
  });
