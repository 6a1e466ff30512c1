import { addRole, removeRole } from "@retake/core";
import type { Action } from "./action.ts";
import { rolesOf } from "./shared/settings-of.ts";

export const action: Action<"changeRoles"> = ({ runtime, params, body, change }) =>
  runtime.change(
    params.id,
    (state, context) =>
      "add" in body ? addRole(state, context, { role: body.add }) : removeRole(state, context, { role: body.remove }),
    change,
    rolesOf,
  );
