import type { ToolCall } from "../session/entry.ts";
import { resultEntryId } from "../session/entry-ids.ts";
import type { ApprovalGiven, ModelFailed, ModelPartReceived, ModelResponded, RequestSent } from "./agent-event.ts";
import { type AgentOutcome, ignored, moved } from "./agent-outcome.ts";
import { BUDGET, type CallingModel, type NamedCall, type OverBudget, type RunningTurn } from "./agent-state.ts";
import type { RecordEffect } from "./effect.ts";
import { endTurn } from "./end-turn.ts";
import { callModel, examineCalls } from "./enter-state.ts";
import { IO_ERRORS, ioFailure, MODEL_ERRORS, modelFailure } from "./failure.ts";
import { retryOrFail } from "./retry-or-fail.ts";
import type { WorkEvent } from "./stale.ts";
import { addUsage } from "./usage.ts";

export function whileCallingModel(state: CallingModel, event: WorkEvent): AgentOutcome {
  switch (event.kind) {
    case "request-sent":
      return event.attempt === state.attempt ? recordRequest(state, event) : ignored(state, "stale-attempt");
    case "model-part-received":
      return event.attempt === state.attempt ? recordPart(state, event) : ignored(state, "stale-attempt");
    case "model-responded":
      return event.attempt === state.attempt ? takeResponse(state, event) : ignored(state, "stale-attempt");
    case "model-failed":
      if (event.attempt !== state.attempt) return ignored(state, "stale-attempt");
      if (event.over_budget) return askForMore(state, event.over_budget);
      if (event.code === "invalid-signature" && !state.turn.without_thinking)
        return askAgain(state, event, { without_thinking: true });
      if (event.code === "invalid-image" && !state.turn.without_images)
        return askAgain(state, event, { without_images: true });
      if (event.code === "empty-answer" && state.attempt === 1) return askAgain(state, event, {});
      return retryOrFail(state, modelFailure(event.code, event.message), {
        ...event,
        retryable: MODEL_ERRORS[event.code].retryable,
      });
    case "io-failed": {
      const { turn_id, step } = state.turn;
      const cancel = { kind: "cancel-model", turn_id, step, attempt: state.attempt } as const;
      return retryOrFail(state, ioFailure(event.code, event.message), { ...event, ...IO_ERRORS[event.code] }, [cancel]);
    }
    case "approval-given":
      return event.call_id === BUDGET && state.over_budget
        ? takeBudget(state, state.over_budget, event)
        : ignored(state, "not-expected");
    case "calls-examined":
    case "retry-due":
    case "tool-progressed":
    case "tool-ended":
    case "hook-finished":
      return ignored(state, "not-expected");
  }
}

/** Nothing was sent, so the state stays as it is until the user has answered. */
function askForMore(state: CallingModel, over_budget: OverBudget): AgentOutcome {
  const { turn_id, step, entry_id } = state.turn;
  const call = { call_id: BUDGET, name: BUDGET, entry_id };
  return moved(
    { ...state, over_budget },
    [],
    [{ kind: "ask-approval", turn_id, step, ...call, number: 1, of: 1, notices: [], over_budget }],
  );
}

function takeBudget(state: CallingModel, { message, raised }: OverBudget, event: ApprovalGiven): AgentOutcome {
  const { turn_id, step } = state.turn;
  if (event.decision === "deny") {
    const failure = modelFailure("over-budget", message);
    return retryOrFail(state, failure, { retryable: false, at: event.at, jitter: 0 });
  }
  const next = callModel(state.turn, state.attempt + 1);
  return moved(next.state, [], [{ kind: "raise-budget", turn_id, step, budget: raised }, next.action]);
}

/** Only once a turn: each later request is the one before it and the entries since. */
function recordRequest(state: CallingModel, { sent }: RequestSent): AgentOutcome {
  const { turn_id, step } = state.turn;
  return moved(state, step === 1 ? [{ kind: "record-request", turn_id, sent }] : []);
}

/** Returns the same state object: streaming must not create a new state for every few letters. */
function recordPart(state: CallingModel, { part }: ModelPartReceived): AgentOutcome {
  const { turn_id, step, entry_id } = state.turn;
  return moved(state, [{ kind: "record-step-part", turn_id, step, attempt: state.attempt, entry_id, part }]);
}

/** Retries at once, and only once: the next request no longer holds what the provider rejected, or the model has another chance. */
function askAgain(
  { turn, attempt }: CallingModel,
  event: ModelFailed,
  without: Pick<RunningTurn, "without_thinking" | "without_images">,
): AgentOutcome {
  const { turn_id, step, entry_id, max_retries } = turn;
  const { state, action } = callModel({ ...turn, ...without }, attempt + 1);
  const failure = modelFailure(event.code, event.message);
  return moved(
    state,
    [{ kind: "record-step-discarded", turn_id, step, entry_id }],
    [{ kind: "notify-retry", turn_id, step, failure, retries: attempt, max_retries, retry_at: event.at }, action],
  );
}

function takeResponse(state: CallingModel, event: ModelResponded): AgentOutcome {
  const { turn_id, step, entry_id } = state.turn;
  const turn = { ...state.turn, usage: addUsage(state.turn.usage, event.usage) };
  // When the model refuses, the calls in its answer are not run.
  const calls = event.stop === "refused" ? [] : withIdsOfTheirOwn(event.calls);
  const { usage } = event;
  const answered: RecordEffect = {
    kind: "record-step-finished",
    turn_id,
    step,
    entry_id,
    outcome: "answered",
    calls,
    usage,
  };
  if (calls.length === 0) return endTurn(turn, { status: STATUS[event.stop] }, event.at, [answered]);

  const names = calls.map(({ id, name }, index): NamedCall => {
    return { call_id: id, name, entry_id: resultEntryId(turn_id, step, index + 1) };
  });
  const pending = names.map((call): RecordEffect => ({ kind: "record-tool-pending", turn_id, step, ...call }));
  const examination = examineCalls(turn, names, 1);
  return moved(examination.state, [answered, ...pending], [examination.action]);
}

const STATUS = { end: "finished", "tool-calls": "finished", length: "cut-off", refused: "refused" } as const;

/** Some models give two calls the same id, or none; a result could then not say which call it answers. */
function withIdsOfTheirOwn(calls: readonly ToolCall[]): ToolCall[] {
  const taken = new Set<string>();
  return calls.map((call, index) => {
    const wanted = call.id === "" ? `call-${index + 1}` : call.id;
    let id = wanted;
    for (let count = 2; taken.has(id); count += 1) id = `${wanted}-${count}`;
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
}
