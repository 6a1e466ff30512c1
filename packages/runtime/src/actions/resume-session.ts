import { isRefusal } from "@retake/core";
import { takenBackOutcome } from "../answers/taken-back-answer.ts";
import { resumeSession, sessionById } from "../threads/sessions.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"resumeSession"> = async ({ runtime, params }) => {
  const session = sessionById(runtime.store, params.id);
  if (isRefusal(session)) return session;
  const { thread_id } = session;
  const outcome = await runtime.work(thread_id, async (workspace) => {
    const done = await resumeSession(workspace, params.id);
    return takenBackOutcome(workspace.store, thread_id, done.kind === "resumed" ? (done.jumped ?? undefined) : done);
  });
  return outcome.kind === "answer" ? answer({ ...outcome.answer, session: { ...session } }) : outcome;
};
