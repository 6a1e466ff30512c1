import { retryDelay } from "../values/retry-delay.ts";
import { type AgentOutcome, moved } from "./agent-outcome.ts";
import type { CallingModel, Failure, ProcessingResponse, Resume, WaitingAfterError } from "./agent-state.ts";
import type { Action, RecordEffect } from "./effect.ts";
import { closeCalls, closeStep, endTurn } from "./end-turn.ts";

/** A state whose work may be repeated: it has had no effect yet that would happen twice. */
export type Repeatable = CallingModel | ProcessingResponse;

/**
 * Waits for another attempt, or ends the turn when no attempt is left or none would help. The text of the failed
 * attempt stays in the step's entry during the wait, so that an interrupt or a crash keeps it. It is discarded when the
 * next attempt begins.
 */
export function retryOrFail(
  state: Repeatable,
  failure: Failure,
  failed: {
    readonly retryable: boolean;
    readonly at: number;
    readonly jitter: number;
    readonly retry_after_ms?: number;
  },
  stops: readonly Action[] = [],
): AgentOutcome {
  const { turn, attempt } = state;
  if (!failed.retryable) return fail(state, failure, failed.at, stops);
  if (attempt > turn.max_retries) {
    const message = `${failure.message} (tried ${attempt} ${attempt === 1 ? "time" : "times"})`;
    return fail(state, { ...failure, message }, failed.at, stops);
  }
  const delay = retryDelay({ ...failed, retries: attempt });
  if (delay.kind === "too-long") {
    const seconds = Math.ceil((failed.retry_after_ms ?? 0) / 1000);
    const message = `${failure.message} (the provider asks to wait ${seconds} s)`;
    return fail(state, { ...failure, message }, failed.at, stops);
  }

  const { turn_id, step, max_retries } = turn;
  const retries = attempt;
  const { delay_ms } = delay;
  const retry_at = failed.at + delay_ms;
  return moved(
    { kind: "error", turn, failure, retries, retry_at, resume: resumeOf(state) },
    [],
    [
      ...stops,
      { kind: "notify-retry", turn_id, step, failure, retries, max_retries, retry_at },
      { kind: "wait-for-retry", turn_id, step, retries, delay_ms, retry_at },
    ],
  );
}

function fail(state: Repeatable, failure: Failure, at: number, stops: readonly Action[]): AgentOutcome {
  const status = failure.code === "refused" ? "refused" : "failed";
  return endTurn(state.turn, { status, failure }, at, closeRepeatable(state, "failed"), stops);
}

/** The records that close everything open in such a state, or in the wait to repeat it. */
export function closeRepeatable(state: Repeatable, status: "interrupted" | "failed"): RecordEffect[] {
  switch (state.kind) {
    case "calling-model":
      return [closeStep(state.turn, status)];
    case "processing-response":
      return closeCalls(state.turn, state.calls, status);
  }
}

/** The state that an error state came from, at its failed attempt. */
export function failedState({ turn, retries, resume }: WaitingAfterError): Repeatable {
  return { ...resume, turn, attempt: retries };
}

function resumeOf(state: Repeatable): Resume {
  return state.kind === "processing-response" ? { kind: state.kind, calls: state.calls } : { kind: state.kind };
}
