import { isRefusal } from "@retake/core";
import { type Action, answer } from "./action.ts";
import { queuedAnswer } from "./shared/queued-answer.ts";

export const action: Action<"startTurn"> = async ({ runtime, params, body, change }) => {
  const { workspace_root: root } = runtime.thread(params.id);
  const queued = await runtime.turns.submit({
    ...{
      thread: params.id,
      root,
      prompt: body.prompt,
      model: body.model,
      mode: body.approve,
      questions: body.questions,
    },
    ...(change.expectedVersion === undefined ? {} : { expectedVersion: change.expectedVersion }),
  });
  if (isRefusal(queued)) return queued;
  return answer({ ...queuedAnswer(runtime, params.id, queued), thread_id: params.id, status: "queued" as const });
};
