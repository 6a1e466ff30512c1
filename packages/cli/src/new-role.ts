import { action as getRoles } from "@retake/runtime/actions/get-roles";
import { act } from "./act.ts";
import type { Call } from "./command.ts";
import { typedName } from "./typed-name.ts";

/** Any text can be a role (D4); one that is not in the list may be a slip, so it is named. */
export async function newRoleLines(call: Call, role: string): Promise<string[]> {
  const { roles } = await act(call, getRoles, { params: { id: call.thread } });
  if (roles.includes(role)) return [];
  return [call.output.hint(`${role} is a new role. Put it into the list: retake roles add ${typedName(role)}`)];
}
