import { equal } from "../values/json.ts";
import type { ApprovalGiven, ToolEnded } from "./agent-event.ts";
import { type AgentOutcome, ignored, moved } from "./agent-outcome.ts";
import type { ExecutingTools, Execution, PendingExecution } from "./agent-state.ts";
import type { Action, RecordEffect } from "./effect.ts";
import { closeCall, completed, named } from "./end-turn.ts";
import { runTools } from "./run-tools.ts";
import type { WorkEvent } from "./stale.ts";
import { addUsage } from "./usage.ts";

export function whileExecutingTools(
  state: ExecutingTools,
  event: Exclude<WorkEvent, { kind: "io-failed" }>,
): AgentOutcome {
  switch (event.kind) {
    case "approval-given":
    case "tool-progressed":
    case "tool-ended": {
      const execution = state.executions.find((each) => each.call_id === event.call_id);
      return execution ? whileExecuting(state, execution, event) : ignored(state, "unknown-call");
    }
    case "request-sent":
    case "model-part-received":
    case "model-responded":
    case "model-failed":
    case "calls-examined":
    case "retry-due":
    case "hook-finished":
      return ignored(state, "not-expected");
  }
}

type CallEvent = Extract<WorkEvent, { call_id: string }>;

function whileExecuting(state: ExecutingTools, execution: Execution, event: CallEvent): AgentOutcome {
  if (event.kind === "approval-given") {
    if (execution.status !== "pending" || execution.approval === "given") return ignored(state, "not-expected");
    return takeApproval(state, execution, event);
  }
  if (execution.status !== "running") return ignored(state, "not-expected");
  switch (event.kind) {
    case "tool-progressed": {
      const { turn_id, step, progress } = event;
      return moved(state, [{ kind: "record-tool-progress", turn_id, step, ...named(execution), progress }]);
    }
    case "tool-ended":
      return takeResult(state, execution, event);
  }
}

function takeResult(state: ExecutingTools, execution: Execution, event: ToolEnded): AgentOutcome {
  const { turn_id, step } = state.turn;
  const { outcome, content, details, usage = {} } = event;
  const ended: RecordEffect = {
    kind: "record-tool-ended",
    turn_id,
    step,
    ...named(execution),
    outcome,
    content,
    ...(details ? { details } : {}),
  };
  // A tool may have asked the model, too: the turn pays for that.
  const turn = { ...state.turn, usage: addUsage(state.turn.usage, usage) };
  return runTools(replace({ ...state, turn }, execution, completed(execution, outcome)), event.at, [ended]);
}

function takeApproval(state: ExecutingTools, execution: PendingExecution, event: ApprovalGiven): AgentOutcome {
  if (event.decision === "deny") {
    const content = event.reason === undefined ? "Denied by the user." : `Denied: ${event.reason}`;
    const denied = closeCall(state.turn, execution, "denied", content);
    return runTools(replace(state, execution, completed(execution, "denied")), event.at, [denied]);
  }
  const rule = event.decision === "allow-always" ? execution.always : undefined;
  const executions = state.executions.map((each): Execution => {
    if (each.status !== "pending" || each.approval === "given") return each;
    // The new rule also answers every other waiting call that it allows.
    const answered = each === execution || (rule !== undefined && equal(each.always, rule));
    if (!answered) return each;
    const { always, ...rest } = each;
    return { ...rest, approval: "given" };
  });
  const { turn_id, step } = state.turn;
  const actions: Action[] = rule ? [{ kind: "add-rule", turn_id, step, rule }] : [];
  return runTools({ ...state, executions }, event.at, [], actions);
}

function replace(state: ExecutingTools, old: Execution, replacement: Execution): ExecutingTools {
  return { ...state, executions: state.executions.map((each) => (each === old ? replacement : each)) };
}
