import { refuse } from "@retake/core";
import { type TakeBackCall, takeBack } from "./take-back.ts";

export type UndoCall = TakeBackCall & {
  readonly params: { readonly id: string };
  readonly body: {
    readonly turns?: number | undefined;
    readonly depth?: number | undefined;
    readonly steps?: number | undefined;
    readonly scope?: "both" | "conversation" | "files" | undefined;
    readonly keep_prompt?: boolean | undefined;
  };
};

export async function undoTurns(call: UndoCall) {
  const { turns, depth, steps, scope, keep_prompt } = call.body;
  const counts = [turns, depth, steps].filter((each) => each !== undefined);
  if (counts.length > 1) return refuse("invalid-input", "Say turns, depth or steps, one of them. Nothing was changed.");
  const request = {
    steps: steps !== undefined,
    keep_prompt: keep_prompt === true,
    ...(scope === undefined ? {} : { scope }),
  };
  return takeBack(call, call.params.id, (workspace, options) =>
    workspace.undo(call.params.id, { ...request, count: steps ?? turns ?? (depth ?? 0) + 1 }, options),
  );
}
