import type { Action } from "./action.ts";
import { withSync } from "./shared/sync-of.ts";

export const action: Action<"listSyncDevices"> = ({ runtime }) =>
  withSync(runtime, async ({ account }) => {
    const { own, devices } = await account.devices();
    return { devices: devices.map(({ public_key: _, ...each }) => ({ ...each, own: each.device === own })) };
  });
