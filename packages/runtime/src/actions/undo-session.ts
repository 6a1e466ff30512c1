import { activeTake, recordsOf } from "@retake/core";
import { type Action, answer } from "./action.ts";
import { takeBack } from "./shared/take-back.ts";

export const action: Action<"undoSession"> = async (call) => {
  const { runtime, params, body } = call;
  const count = body.count ?? 1;
  // The first turn always stays, so counting stops once enough others are found.
  const most = runtime.read(params.id, ({ state }) => {
    let others = -1;
    for (const _ of recordsOf(state, activeTake(state), "turn")) if (++others === count) break;
    return others;
  });
  if (most <= 0) return answer({ turns_undone: 0, messages_removed: 0, files_reverted: [], snapshot_restored: null });
  const outcome = await takeBack({ ...call, body: {} }, params.id, (workspace, options) =>
    workspace.undo(params.id, { count: most }, options),
  );
  if (outcome.kind !== "answer") return outcome;
  const { turns_undone, messages_removed, files_reverted, snapshot_restored } = outcome.answer;
  return answer({ turns_undone, messages_removed, files_reverted, snapshot_restored });
};
