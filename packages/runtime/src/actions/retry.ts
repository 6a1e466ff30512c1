import { takenBackOutcome } from "../answers/taken-back-answer.ts";
import { type Action, answer } from "./action.ts";
import { queuedAnswer } from "./shared/queued-answer.ts";
import { turnInput } from "./shared/turn-input.ts";

export const action: Action<"retry"> = async ({ runtime, params, body, change }) => {
  const tried = await runtime.turns.retry(turnInput(runtime, params.id, { ...body, prompt: body.prompt }, change));
  if (tried.kind === "refused") return tried;
  const outcome = takenBackOutcome(runtime.store, params.id, tried.begun);
  if (outcome.kind !== "answer") return outcome;
  const { op_id, version } = outcome.answer;
  const begun = { ...queuedAnswer(runtime, params.id, tried.turn), op_id, version };
  return answer({ ...begun, thread_id: params.id, status: "running" as const, taken_back: outcome.answer });
};
