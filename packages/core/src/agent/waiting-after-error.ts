import { type AgentOutcome, ignored, moved } from "./agent-outcome.ts";
import type { WaitingAfterError } from "./agent-state.ts";
import { callModel, examineCalls, runHook } from "./enter-state.ts";
import type { WorkEvent } from "./stale.ts";

export function whileWaitingAfterError(
  state: WaitingAfterError,
  event: Exclude<WorkEvent, { kind: "io-failed" }>,
): AgentOutcome {
  switch (event.kind) {
    case "retry-due":
      return event.retries === state.retries ? tryAgain(state) : ignored(state, "stale-attempt");
    case "model-part-received":
    case "model-responded":
    case "model-failed":
    case "calls-examined":
    case "examination-failed":
    case "approval-given":
    case "tool-started":
    case "tool-progressed":
    case "tool-ended":
    case "hook-finished":
    case "hook-failed":
      return ignored(state, "not-expected");
  }
}

function tryAgain({ turn, retries, resume }: WaitingAfterError): AgentOutcome {
  const attempt = retries + 1;
  switch (resume.kind) {
    case "calling-model": {
      const { turn_id, step, entry_id } = turn;
      const { state, action } = callModel(turn, attempt);
      return moved(state, [{ kind: "record-step-discarded", turn_id, step, attempt: retries, entry_id }], [action]);
    }
    case "processing-response": {
      const { state, action } = examineCalls(turn, resume.calls, attempt);
      return moved(state, [], [action]);
    }
    case "post-tools-hook": {
      const { state, action } = runHook(turn, attempt);
      return moved(state, [], [action]);
    }
  }
}
