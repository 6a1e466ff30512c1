import { type AgentOutcome, moved } from "./agent-outcome.ts";
import type { ExecutingTools, Execution, RunningExecution } from "./agent-state.ts";
import type { Action, RecordEffect } from "./effect.ts";
import { endTurn, named } from "./end-turn.ts";
import { runHook } from "./enter-state.ts";

/**
 * Goes on with the tools of a step: starts every call that may start, and when none is left open,
 * ends the turn if it is to end and runs the hook otherwise. `records` and `actions` are what led
 * here; they come before what follows from it.
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
    const hook = runHook(turn, 1);
    return moved(hook.state, records, [...actions, hook.action]);
  }

  const starting = state.executions.filter((_, index) => mayStart(state.executions, index));
  const calls = starting.map((execution) => ({ ...named(execution), turn_id: turn.turn_id, step: turn.step }));
  return moved(
    { ...state, executions: state.executions.map((each) => (starting.includes(each) ? running(each) : each)) },
    [...records, ...calls.map((call): RecordEffect => ({ kind: "record-tool-started", ...call }))],
    [...actions, ...calls.map((call): Action => ({ kind: "run-tool", ...call }))],
  );
}

/**
 * A call that writes waits for every call before it, and every call after it waits for it; so each
 * finds the files as the calls before it left them. Calls that only read run beside each other.
 */
function mayStart(executions: readonly Execution[], index: number): boolean {
  const execution = executions[index];
  if (execution?.status !== "pending" || execution.approval !== "given") return false;
  const open = executions.slice(0, index).filter((each) => each.status !== "completed");
  return open.length === 0 || (execution.parallel && open.every((each) => each.parallel));
}

// Running from here on and not from when the tool reports: a crash in between must not lose that it may have begun.
function running(execution: Execution): RunningExecution {
  return { ...named(execution), parallel: execution.parallel, status: "running" };
}
