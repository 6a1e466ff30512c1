import type { CallsExamined, ExaminedCall } from "./agent-event.ts";
import { type AgentOutcome, ignored } from "./agent-outcome.ts";
import type {
  CompletedExecution,
  NamedCall,
  PendingExecution,
  ProcessingResponse,
  RunningTurn,
} from "./agent-state.ts";
import { decideApproval } from "./decide-approval.ts";
import type { Action, RecordEffect } from "./effect.ts";
import { closeCall } from "./end-turn.ts";
import { IO_ERRORS, ioFailure } from "./failure.ts";
import { retryOrFail } from "./retry-or-fail.ts";
import { runTools } from "./run-tools.ts";
import type { WorkEvent } from "./stale.ts";

export function whileProcessingResponse(state: ProcessingResponse, event: WorkEvent): AgentOutcome {
  switch (event.kind) {
    case "calls-examined":
      return event.attempt === state.attempt ? decideCalls(state, event) : ignored(state, "stale-attempt");
    case "io-failed":
      return retryOrFail(state, ioFailure(event.code, event.message), { ...event, ...IO_ERRORS[event.code] });
    case "request-sent":
    case "model-part-received":
    case "model-responded":
    case "model-failed":
    case "retry-due":
    case "approval-given":
    case "tool-progressed":
    case "tool-ended":
    case "hook-finished":
      return ignored(state, "not-expected");
  }
}

function decideCalls({ turn, calls }: ProcessingResponse, event: CallsExamined): AgentOutcome {
  const decided = calls.map((call) => {
    const examined = event.calls.find((each) => each.call_id === call.call_id);
    return decideCall(turn, call, examined, event);
  });
  return runTools(
    { kind: "executing-tools", turn, executions: decided.map(({ execution }) => execution) },
    event.at,
    decided.flatMap(({ record }) => record ?? []),
    decided.flatMap(({ action }) => action ?? []),
  );
}

type Decided = {
  readonly execution: PendingExecution | CompletedExecution;
  readonly record?: RecordEffect;
  readonly action?: Action;
};

function decideCall(
  turn: RunningTurn,
  call: NamedCall,
  examined: ExaminedCall | undefined,
  event: CallsExamined,
): Decided {
  const parallel = examined?.parallel ?? false;
  const close = (outcome: "failed" | "denied", content: string): Decided => ({
    execution: { ...call, parallel, status: "completed", outcome },
    record: closeCall(turn, call, outcome, content),
  });

  if (examined === undefined) return close("failed", `The tool ${call.name} could not be examined.`);
  if (examined.problem !== undefined) return close("failed", examined.problem);

  const pending = { ...call, parallel, status: "pending" } as const;
  const approval = decideApproval(call, event.rules, examined.facts, turn.approve_all);
  switch (approval.decision) {
    case "deny":
      return close("denied", "Denied: a rule of the user's forbids this call.");
    case "allow":
      return { execution: { ...pending, notices: approval.notices, approval: "given" } };
    case "ask": {
      const { decision, ...asked } = approval;
      const { turn_id, step } = turn;
      return {
        execution: { ...pending, ...asked, approval: "awaited" },
        action: { kind: "ask-approval", turn_id, step, ...call, ...asked },
      };
    }
  }
}
