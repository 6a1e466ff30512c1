import { type AgentOutcome, ignored, moved } from "./agent-outcome.ts";
import type { PostToolsHook } from "./agent-state.ts";
import { endTurn } from "./end-turn.ts";
import { startStep } from "./enter-state.ts";
import type { WorkEvent } from "./stale.ts";

export function whileHookRuns(state: PostToolsHook, event: Exclude<WorkEvent, { kind: "io-failed" }>): AgentOutcome {
  switch (event.kind) {
    case "hook-finished":
      return goOn(state, event.at);
    case "request-sent":
    case "model-part-received":
    case "model-responded":
    case "model-failed":
    case "calls-examined":
    case "retry-due":
    case "approval-given":
    case "tool-progressed":
    case "tool-ended":
      return ignored(state, "not-expected");
  }
}

function goOn({ turn, ending }: PostToolsHook, at: number): AgentOutcome {
  if (ending) return endTurn(turn, ending, at);
  if (turn.step >= turn.max_steps) return endTurn(turn, { status: "step-limit" }, at);
  const next = startStep(turn, turn.step + 1);
  return moved(next.state, [], [next.action]);
}
