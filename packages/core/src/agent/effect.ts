import type { ToolCall, Usage } from "../session/entry.ts";
import type { ApprovalRule } from "../session/setting.ts";
import type { JsonObject } from "../values/json.ts";
import type { ModelPart, ToolProgress } from "./agent-event.ts";
import type { Failure, NamedCall, ToolOutcome, TurnStatus } from "./agent-state.ts";
import type { Notice } from "./decide-approval.ts";

/**
 * What is to be done, as data. The effects of one transition are records first and actions after
 * them [AG3]: the runtime commits the new state with all the records as one change, and only then
 * acts. So there is no instant at which a tool runs that the store does not know of.
 */
export type Effect = RecordEffect | Action;

/** A change of the conversation that must be durable before the first action. */
export type RecordEffect =
  | TurnStarted
  | AgentMoved
  | RequestRecorded
  | StepPart
  | StepDiscarded
  | StepFinished
  | ToolPending
  | ToolStarting
  | ToolProgressing
  | ToolEnding
  | RuleAdded
  | TurnFinished;

/** Something to start or to stop. What it starts answers with events; what it stops need not be awaited. */
export type Action =
  | CallModel
  | (OfAttempt & { readonly kind: "cancel-model" })
  | (OfAttempt & { readonly kind: "examine-calls"; readonly calls: readonly NamedCall[] })
  | AskApproval
  | (OfCall & { readonly kind: "run-tool" })
  | (OfCall & { readonly kind: "cancel-tool" })
  | (OfStep & { readonly kind: "run-post-tools-hook" })
  | NotifyRetry
  | (OfStep & {
      readonly kind: "wait-for-retry";
      readonly retries: number;
      readonly delay_ms: number;
      readonly retry_at: number;
    })
  | (OfStep & { readonly kind: "cancel-retry"; readonly retries: number });

export function isRecordEffect(effect: Effect): effect is RecordEffect {
  return effect.kind.startsWith("record-");
}

type OfStep = { readonly turn_id: string; readonly step: number };
type OfAttempt = OfStep & { readonly attempt: number };
type OfCall = OfStep & NamedCall;

type CallModel = OfAttempt & {
  readonly kind: "call-model";
  readonly model: string;
  readonly entry_id: string;
  /** Leave all thinking, and all proofs of it, out of the request. */
  readonly without_thinking?: true;
};

/** Makes the prompt's entry. */
type TurnStarted = {
  readonly kind: "record-turn-started";
  readonly turn_id: string;
  readonly entry_id: string;
  readonly prompt: string;
  readonly model: string;
  readonly at: number;
};

/** The agent's state alone, where a transition changes nothing else. */
type AgentMoved = { readonly kind: "record-agent"; readonly turn_id: string };

/** Keeps what the model was sent with the discussion. */
type RequestRecorded = { readonly kind: "record-request"; readonly turn_id: string; readonly sent: JsonObject };

/** Appends to the step's entry. May be gathered for a moment, but not past the next other record. */
type StepPart = OfAttempt & {
  readonly kind: "record-step-part";
  readonly entry_id: string;
  readonly part: ModelPart;
};

/** Empties the step's entry of what a failed attempt wrote, because the next one starts from nothing. */
type StepDiscarded = OfStep & { readonly kind: "record-step-discarded"; readonly entry_id: string };

/**
 * Closes the step's entry. `calls` is all that remains of its calls, whatever parts came before;
 * an entry that holds nothing then is removed.
 */
type StepFinished = OfStep & {
  readonly kind: "record-step-finished";
  readonly entry_id: string;
  /** Anything but `answered` leaves a partial answer, kept and marked as such. */
  readonly outcome: "answered" | "interrupted" | "failed";
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
};

/** Makes the entry of a call's result. They are made in the order of the calls, so results stand in that order. */
type ToolPending = OfCall & { readonly kind: "record-tool-pending" };

/** The last moment to name what no undo will take back. */
type ToolStarting = OfCall & { readonly kind: "record-tool-started"; readonly notices: readonly Notice[] };

type ToolProgressing = OfCall & { readonly kind: "record-tool-progress"; readonly progress: ToolProgress };

type ToolEnding = OfCall & {
  readonly kind: "record-tool-ended";
  readonly outcome: ToolOutcome;
  readonly content: string;
  readonly details?: JsonObject;
};

/** Adds a rule to the settings, as a change of the user's that undoing the turn leaves alone. */
type RuleAdded = { readonly kind: "record-approval-rule"; readonly turn_id: string; readonly rule: ApprovalRule };

type TurnFinished = {
  readonly kind: "record-turn-finished";
  readonly turn_id: string;
  readonly status: TurnStatus;
  readonly steps: number;
  readonly usage: Usage;
  readonly failure?: Failure;
  readonly at: number;
};

type AskApproval = OfCall & {
  readonly kind: "ask-approval";
  readonly notices: readonly Notice[];
  readonly always?: ApprovalRule;
};

type NotifyRetry = OfStep & {
  readonly kind: "notify-retry";
  readonly failure: Failure;
  readonly retries: number;
  readonly max_retries: number;
  readonly retry_at: number;
};
