import type { TakenBackAnswer } from "../answers/taken-back-answer.ts";
import { type Action, answer } from "./action.ts";
import { undoTurns } from "./shared/undo-turns.ts";

export const action: Action<"patchUndo"> = async (call) => {
  const outcome = await undoTurns(call);
  if (outcome.kind !== "answer") return outcome;
  return answer({ ...outcome.answer, patch_result: patchResult(outcome.answer) });
};

function patchResult({ files_reverted, files_kept, snapshot_restored }: TakenBackAnswer) {
  const restored = `${files_reverted.length} ${files_reverted.length === 1 ? "file" : "files"} restored`;
  const kept = files_kept.length === 0 ? "" : `, ${files_kept.length} kept`;
  return { files_restored: files_reverted.length, summary: `${restored}${kept}`, snapshot_label: snapshot_restored };
}
