import { type AgentOutcome, moved } from "./agent-outcome.ts";
import type { ExecutingTools, Execution, PendingExecution, RunningExecution } from "./agent-state.ts";
import type { Action, RecordEffect } from "./effect.ts";
import { endTurn, named } from "./end-turn.ts";
import { runHook } from "./enter-state.ts";

/**
 * Continues with the tools of a step: starts every call that may start. When none is open any more, it ends the turn if
 * the turn is ending, and runs the hook otherwise. `records` and `actions` of the transition so far come first in the
 * outcome.
 */
export function runTools(
  state: ExecutingTools,
  at: number,
  records: readonly RecordEffect[],
  actions: readonly Action[] = [],
): AgentOutcome {
  const { turn, ending } = state;
  if (state.executions.every((execution) => execution.status === "completed")) {
    if (ending) return endTurn(turn, ending, at, records, actions);
    const hook = runHook(turn);
    return moved(hook.state, records, [...actions, hook.action]);
  }

  const { turn_id, step } = turn;
  const starting = state.executions.filter((each, index): each is PendingExecution => {
    return each.status === "pending" && mayStart(each, state.executions.slice(0, index));
  });
  const started = starting.map((each): RecordEffect => {
    return { kind: "record-tool-started", turn_id, step, ...named(each), notices: each.notices };
  });
  const runs = starting.map((each): Action => {
    return { kind: "run-tool", turn_id, step, ...named(each), ...(each.outside ? { outside: true } : {}) };
  });
  const starts: readonly Execution[] = starting;
  return moved(
    { ...state, executions: state.executions.map((each) => (starts.includes(each) ? running(each) : each)) },
    [...records, ...started],
    [...actions, ...runs],
  );
}

/**
 * A call that writes waits for every call before it, and every call after it waits for it. So each call sees the files
 * as the calls before it left them. Calls that only read run beside each other.
 */
function mayStart(execution: PendingExecution, before: readonly Execution[]): boolean {
  if (execution.approval !== "given") return false;
  const open = before.filter((each) => each.status !== "completed");
  return open.length === 0 || (execution.parallel && open.every((each) => each.parallel));
}

// The call counts as running from here on, not from the tool's first report: after a crash in between it must be known
// that the tool may have begun.
function running(execution: Execution): RunningExecution {
  return { ...named(execution), parallel: execution.parallel, status: "running" };
}
