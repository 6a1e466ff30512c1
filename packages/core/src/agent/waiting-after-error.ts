import type { IoFailed } from "./agent-event.ts";
import { type AgentOutcome, ignored, moved } from "./agent-outcome.ts";
import type { WaitingAfterError } from "./agent-state.ts";
import type { Action } from "./effect.ts";
import { callModel, examineCalls } from "./enter-state.ts";
import { IO_ERRORS, ioFailure } from "./failure.ts";
import { failedState, retryOrFail } from "./retry-or-fail.ts";
import type { WorkEvent } from "./stale.ts";

export function whileWaitingAfterError(state: WaitingAfterError, event: WorkEvent): AgentOutcome {
  switch (event.kind) {
    case "retry-due":
      return event.retries === state.retries ? tryAgain(state) : ignored(state, "stale-attempt");
    case "io-failed":
      // The end of the wait could not be committed: wait longer, as after another failed attempt.
      return waitLonger(state, event);
    case "request-sent":
    case "model-part-received":
    case "model-responded":
    case "model-failed":
    case "calls-examined":
    case "approval-given":
    case "tool-progressed":
    case "tool-ended":
    case "hook-finished":
      return ignored(state, "not-expected");
  }
}

function waitLonger(state: WaitingAfterError, event: IoFailed): AgentOutcome {
  const { turn, retries } = state;
  const attempted = { ...failedState(state), attempt: retries + 1 };
  const cancel: Action = { kind: "cancel-retry", turn_id: turn.turn_id, step: turn.step, retries };
  return retryOrFail(attempted, ioFailure(event.code, event.message), { ...event, ...IO_ERRORS[event.code] }, [cancel]);
}

function tryAgain({ turn, retries, resume }: WaitingAfterError): AgentOutcome {
  const attempt = retries + 1;
  switch (resume.kind) {
    case "calling-model": {
      const { turn_id, step, entry_id } = turn;
      const { state, action } = callModel(turn, attempt);
      return moved(state, [{ kind: "record-step-discarded", turn_id, step, entry_id }], [action]);
    }
    case "processing-response": {
      const { state, action } = examineCalls(turn, resume.calls, attempt);
      return moved(state, [], [action]);
    }
  }
}
