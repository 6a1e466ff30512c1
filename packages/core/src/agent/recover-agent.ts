import { type AgentOutcome, ignored, moved } from "./agent-outcome.ts";
import type { ActiveState, AgentState, Ending, Execution, RunningTurn } from "./agent-state.ts";
import { IDLE_AGENT } from "./agent-state.ts";
import type { RecordEffect } from "./effect.ts";
import { closeCall, closeCalls, endTurn } from "./end-turn.ts";
import { closeRepeatable, failedState } from "./retry-or-fail.ts";

/**
 * What is left of the agent after its process was killed [L9]. Nothing is run again by itself: not a
 * tool, because nobody knows how far it got; not the model, because the user may have gone. Only
 * records come out of this, since whatever ran is gone; on its own result it changes nothing.
 */
export function recoverAgent(state: AgentState, at: number): AgentOutcome {
  switch (state.kind) {
    case "waiting-for-input":
      return ignored(state, "nothing-to-recover");
    case "shutting-down":
      return moved(IDLE_AGENT);
    default: {
      // A turn that was being ended ends as it was going to, but the shutdown has happened: this is a new process.
      const decided: Ending | undefined = "ending" in state ? state.ending : undefined;
      const ending = { ...(decided ?? { status: "interrupted" as const }), shutdown: false };
      return endTurn(state.turn, ending, at, closeAll(state));
    }
  }
}

function closeAll(state: ActiveState): RecordEffect[] {
  if (state.kind === "error") return closeRepeatable(failedState(state), "interrupted");
  if (state.kind === "post-tools-hook") return [];
  if (state.kind !== "executing-tools") return closeRepeatable(state, "interrupted");
  return state.executions.flatMap((execution) => closeExecution(state.turn, execution));
}

function closeExecution(turn: RunningTurn, execution: Execution): RecordEffect[] {
  switch (execution.status) {
    case "completed":
      return [];
    case "pending":
      return closeCalls(turn, [execution], "interrupted");
    case "running":
      return [closeCall(turn, execution, "unknown", UNKNOWN)];
  }
}

const UNKNOWN =
  "Unknown: this call was running when Retake was killed. All, some or none of its work was done. It was not run again.";
