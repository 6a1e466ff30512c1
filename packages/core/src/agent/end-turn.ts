import { type AgentOutcome, moved } from "./agent-outcome.ts";
import type {
  CompletedExecution,
  Execution,
  Failure,
  NamedCall,
  RunningTurn,
  ToolOutcome,
  TurnStatus,
} from "./agent-state.ts";
import type { Action, RecordEffect } from "./effect.ts";

type How = { readonly status: TurnStatus; readonly failure?: Failure; readonly shutdown?: boolean };

/** The only way a turn ends [AG7]. Nothing of it runs any more, except the work that `actions` stops. */
export function endTurn(
  turn: RunningTurn,
  how: How,
  at: number,
  records: readonly RecordEffect[] = [],
  actions: readonly Action[] = [],
): AgentOutcome {
  const { turn_id, model, step: steps, usage } = turn;
  const result = how.failure ? { status: how.status, failure: how.failure } : { status: how.status };
  const finished: RecordEffect = { kind: "record-turn-finished", turn_id, steps, usage, ...result, at };
  if (how.shutdown) {
    return moved({ kind: "shutting-down" }, [...records, finished], actions);
  }
  const last = { turn_id, model, steps, ...result };
  return moved({ kind: "waiting-for-input", last }, [...records, finished], actions);
}

/** Closes the entry of a step whose answer is incomplete. The received part stays, but no call in it will run. */
export function closeStep(turn: RunningTurn, outcome: "interrupted" | "failed"): RecordEffect {
  const { turn_id, step, entry_id } = turn;
  return { kind: "record-step-finished", turn_id, step, entry_id, outcome, calls: [], usage: {} };
}

/** Closes a call by a decision of the agent, because no tool will report its end. */
export function closeCall(turn: RunningTurn, call: NamedCall, outcome: ToolOutcome, content: string): RecordEffect {
  const { turn_id, step } = turn;
  return { kind: "record-tool-ended", ...named(call), turn_id, step, outcome, content };
}

/** Closes calls that have not begun. */
export function closeCalls(
  turn: RunningTurn,
  calls: readonly NamedCall[],
  status: "interrupted" | "failed",
): RecordEffect[] {
  return calls.map((call) => closeCall(turn, call, "interrupted", NOT_RUN[status]));
}

export function completed(execution: Execution, outcome: ToolOutcome): CompletedExecution {
  return { ...named(execution), parallel: execution.parallel, status: "completed", outcome };
}

export function named({ call_id, name, entry_id }: NamedCall): NamedCall {
  return { call_id, name, entry_id };
}

const NOT_RUN = {
  interrupted: "Not run: the turn was interrupted before this call began.",
  failed: "Not run: the turn failed before this call began.",
};
