import type { Notice } from "../session/entry.ts";
import type { CallsExamined, ExaminedCall } from "./agent-event.ts";
import { type AgentOutcome, ignored } from "./agent-outcome.ts";
import type {
  CompletedExecution,
  NamedCall,
  PendingExecution,
  ProcessingResponse,
  RunningTurn,
} from "./agent-state.ts";
import { type Approval, decideApproval, reasonsOf } from "./decide-approval.ts";
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
  const questions = decided.flatMap(({ question }) => question ?? []);
  const { turn_id, step } = turn;
  return runTools(
    { kind: "executing-tools", turn, executions: decided.map(({ execution }) => execution) },
    event.at,
    decided.flatMap(({ record }) => record ?? []),
    questions.map((question, index): Action => {
      return { kind: "ask-approval", turn_id, step, ...question, number: index + 1, of: questions.length };
    }),
  );
}

type Question = NamedCall & Omit<Extract<Approval, { decision: "ask" }>, "decision">;

type Decided = {
  readonly execution: PendingExecution | CompletedExecution;
  readonly record?: RecordEffect;
  readonly question?: Question;
};

function decideCall(
  turn: RunningTurn,
  call: NamedCall,
  examined: ExaminedCall | undefined,
  { policy }: CallsExamined,
): Decided {
  const parallel = examined?.parallel ?? false;
  const close = (outcome: "failed" | "denied", content: string): Decided => ({
    execution: { ...call, parallel, status: "completed", outcome },
    record: closeCall(turn, call, outcome, content),
  });

  if (examined === undefined) return close("failed", `The tool ${call.name} could not be examined.`);
  if (examined.problem !== undefined) return close("failed", examined.problem);

  const pending = { ...call, parallel, status: "pending" } as const;
  const approval = decideApproval(call, examined.facts, policy);
  if (approval.decision === "deny") return close("denied", `Denied: ${approval.reason}. Nothing was run.`);
  const { decision, ...how } = approval;
  if (decision === "allow") return { execution: { ...pending, ...how, approval: "given" } };
  if (!policy.questions) return close("denied", `Denied: ${unasked(how.notices)} Nothing was run.`);
  return { execution: { ...pending, ...how, approval: "awaited" }, question: { ...call, ...how } };
}

/** Why nobody was asked. */
function unasked(notices: readonly Notice[]): string {
  return `only what can be undone runs without a question, and none was to be asked. It is ${reasonsOf(notices)}.`;
}
