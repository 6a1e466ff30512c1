import { type AgentOutcome, ignored, moved } from "./agent-outcome.ts";
import type { ActiveState, AgentState, Ending, ExecutingTools, PostToolsHook } from "./agent-state.ts";
import type { Action } from "./effect.ts";
import { closeCalls, completed, endTurn, named } from "./end-turn.ts";
import { closeRepeatable, failedState } from "./retry-or-fail.ts";
import { runTools } from "./run-tools.ts";

/**
 * Ends the turn early [AG50]. Tools and the hook may be changing files, so the turn is over only when they have
 * reported. A model changes nothing, so its call is cancelled and not awaited.
 */
export function stopTurn(state: ActiveState, ending: Ending, at: number): AgentOutcome {
  const { turn_id, step } = state.turn;
  switch (state.kind) {
    case "calling-model": {
      const cancel: Action = { kind: "cancel-model", turn_id, step, attempt: state.attempt };
      return endTurn(state.turn, ending, at, closeRepeatable(state, ending.status), [cancel]);
    }
    case "processing-response":
      return endTurn(state.turn, ending, at, closeRepeatable(state, ending.status));
    case "executing-tools":
      return state.ending ? ignored(state, "already-ending") : stopTools(state, ending, at);
    case "post-tools-hook":
      if (state.ending) return ignored(state, "already-ending");
      return moved({ ...state, ending });
    case "error": {
      const cancel: Action = { kind: "cancel-retry", turn_id, step, retries: state.retries };
      return endTurn(state.turn, ending, at, closeRepeatable(failedState(state), ending.status), [cancel]);
    }
  }
}

/** Ends the turn, if one is running, and then the agent. */
export function shutDown(state: AgentState, at: number): AgentOutcome {
  switch (state.kind) {
    case "shutting-down":
      return ignored(state, "shutting-down");
    case "waiting-for-input":
      return moved({ kind: "shutting-down" });
    default:
      if (!isEnding(state)) return stopTurn(state, { status: "interrupted", shutdown: true }, at);
      if (state.ending.shutdown) return ignored(state, "already-ending");
      return moved({ ...state, ending: { ...state.ending, shutdown: true } });
  }
}

function stopTools(state: ExecutingTools, ending: Ending, at: number): AgentOutcome {
  const pending = state.executions.filter((each) => each.status === "pending");
  const running = state.executions.filter((each) => each.status === "running");
  const executions = state.executions.map((each) =>
    each.status === "pending" ? completed(each, "interrupted") : each,
  );
  const { turn_id, step } = state.turn;
  return runTools(
    { ...state, executions, ending },
    at,
    closeCalls(state.turn, pending, ending.status),
    running.map((each): Action => ({ kind: "cancel-tool", turn_id, step, ...named(each) })),
  );
}

function isEnding(state: ActiveState): state is (ExecutingTools | PostToolsHook) & { readonly ending: Ending } {
  return "ending" in state && state.ending !== undefined;
}
