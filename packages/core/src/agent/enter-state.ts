import { stepEntryId } from "../session/entry-ids.ts";
import type { CallingModel, NamedCall, PostToolsHook, ProcessingResponse, RunningTurn } from "./agent-state.ts";
import type { Action } from "./effect.ts";

/** The states that wait for one piece of work, each with the action that starts it. */
type Entered<State> = { readonly state: State; readonly action: Action };

export function callModel(turn: RunningTurn, attempt: number): Entered<CallingModel> {
  const { turn_id, step, model, entry_id } = turn;
  const without = {
    ...(turn.without_thinking ? { without_thinking: true as const } : {}),
    ...(turn.without_images ? { without_images: true as const } : {}),
  };
  return {
    state: { kind: "calling-model", turn, attempt },
    action: { kind: "call-model", turn_id, step, attempt, model, entry_id, ...without },
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

export function runHook(turn: RunningTurn): Entered<PostToolsHook> {
  const { turn_id, step } = turn;
  return {
    state: { kind: "post-tools-hook", turn },
    action: { kind: "run-post-tools-hook", turn_id, step },
  };
}

export function startStep(turn: RunningTurn, step: number): Entered<CallingModel> {
  return callModel({ ...turn, step, entry_id: stepEntryId(turn.turn_id, step) }, 1);
}
