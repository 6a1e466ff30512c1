import type { Recovered } from "./agent-event.ts";
import { type AgentOutcome, ignored, moved } from "./agent-outcome.ts";
import type { ActiveState, AgentState, Ending, Execution, RunningTurn } from "./agent-state.ts";
import { IDLE_AGENT } from "./agent-state.ts";
import type { RecordEffect } from "./effect.ts";
import { closeCall, closeCalls, endTurn } from "./end-turn.ts";
import { closeRepeatable, failedState } from "./retry-or-fail.ts";

/**
 * Recovers the agent after its process was killed [L9]. Nothing is run again by itself: a tool not, because its
 * progress is unknown; the model not, because the user may have left. The result contains only records, since no work
 * survived the kill. Recovering twice changes nothing more.
 */
export function recoverAgent(state: AgentState, { at, ended = [] }: Recovered): AgentOutcome {
  switch (state.kind) {
    case "waiting-for-input":
      return ignored(state, "nothing-to-recover");
    case "shutting-down":
      return moved(IDLE_AGENT);
    default: {
      // A turn that was already ending ends as decided, but without the shutdown: this is a new process.
      const decided: Ending | undefined = "ending" in state ? state.ending : undefined;
      const ending = { ...(decided ?? { status: "interrupted" as const }), shutdown: false };
      return endTurn(state.turn, ending, at, closeAll(state, ended));
    }
  }
}

function closeAll(state: ActiveState, ended: readonly string[]): RecordEffect[] {
  if (state.kind === "error") return closeRepeatable(failedState(state), "interrupted");
  if (state.kind === "post-tools-hook") return [];
  if (state.kind !== "executing-tools") return closeRepeatable(state, "interrupted");
  return state.executions.flatMap((execution) => closeExecution(state.turn, execution, ended));
}

function closeExecution(turn: RunningTurn, execution: Execution, ended: readonly string[]): RecordEffect[] {
  switch (execution.status) {
    case "completed":
      return [];
    case "pending":
      return closeCalls(turn, [execution], "interrupted");
    case "running":
      return [
        closeCall(turn, execution, "unknown", `${UNKNOWN} ${ended.includes(execution.call_id) ? ENDED : RAN_ON}`),
      ];
  }
}

const UNKNOWN =
  "Unknown: this call was running when Retake was killed. All, some or none of its work was done. It was not run again.";
const ENDED = "It was ended with Retake.";
const RAN_ON = "Whether it was ended with Retake is not known: it may have run on.";
