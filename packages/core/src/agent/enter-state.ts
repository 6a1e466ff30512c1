import type { CallingModel, NamedCall, PostToolsHook, ProcessingResponse, RunningTurn } from "./agent-state.ts";
import type { Action, RecordEffect } from "./effect.ts";
import { stepEntryId } from "./entry-ids.ts";

/** The states that wait for one piece of work, each with the action that starts it. */
type Entered<State> = { readonly state: State; readonly action: Action };

export function callModel(turn: RunningTurn, attempt: number): Entered<CallingModel> {
  const { turn_id, step, model, entry_id } = turn;
  return {
    state: { kind: "calling-model", turn, attempt },
    action: { kind: "call-model", turn_id, step, attempt, model, entry_id },
  };
}

export function examineCalls(
  turn: RunningTurn,
  calls: readonly NamedCall[],
  attempt: number,
): Entered<ProcessingResponse> {
  const { turn_id, step } = turn;
  return {
    state: { kind: "processing-response", turn, attempt, calls },
    action: { kind: "examine-calls", turn_id, step, attempt, calls },
  };
}

export function runHook(turn: RunningTurn, attempt: number): Entered<PostToolsHook> {
  const { turn_id, step } = turn;
  return {
    state: { kind: "post-tools-hook", turn, attempt },
    action: { kind: "run-post-tools-hook", turn_id, step, attempt },
  };
}

/** The first attempt at a step: its entry begins with it. */
export function startStep(
  turn: RunningTurn,
  step: number,
  at: number,
): Entered<CallingModel> & { record: RecordEffect } {
  const { turn_id } = turn;
  const entry_id = stepEntryId(turn_id, step);
  return {
    ...callModel({ ...turn, step, entry_id }, 1),
    record: { kind: "record-step-started", turn_id, step, attempt: 1, entry_id, at },
  };
}
