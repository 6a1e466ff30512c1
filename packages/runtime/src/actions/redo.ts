import type { Action } from "./action.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"redo"> = (asked) =>
  takeBack(asked, asked.params.id, (workspace, options) =>
    workspace.redo(asked.params.id, asked.body.turns ?? 1, options),
  );
