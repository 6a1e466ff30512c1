import type { Action } from "./action.ts";
import { undoTurns } from "./shared/undo-turns.ts";

export const action: Action<"undo"> = undoTurns;
