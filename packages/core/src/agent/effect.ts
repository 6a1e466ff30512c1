import type { Notice, ToolCall, Usage } from "../session/entry.ts";
import type { JsonObject } from "../values/json.ts";
import type { ModelPart, ToolProgress } from "./agent-event.ts";
import type { Failure, NamedCall, OverBudget, ToolOutcome, TurnStatus } from "./agent-state.ts";
import type { ApprovalRule } from "./approval-rule.ts";

/**
 * The effects of a transition, as data: records first, then actions [AG3]. The runtime commits the new state with all
 * the records as one change, and only then acts. So no tool ever runs that the store does not know of.
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
  | TurnFinished;

/** Work to start or to stop. Started work answers with events; stopped work need not be awaited. */
export type Action =
  | CallModel
  | (OfAttempt & { readonly kind: "cancel-model" })
  | (OfAttempt & { readonly kind: "examine-calls"; readonly calls: readonly NamedCall[] })
  | AskApproval
  /** The user lets the thread cost so many dollars. */
  | (OfStep & { readonly kind: "raise-budget"; readonly budget: number })
  /** Adds a rule of the user to those of this machine and workspace. */
  | { readonly kind: "add-rule"; readonly turn_id: string; readonly step: number; readonly rule: ApprovalRule }
  | (OfCall & { readonly kind: "run-tool"; readonly outside?: true })
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
  /** Leaves all thinking, and all proofs of it, out of the request. */
  readonly without_thinking?: true;
  /** Names images in the request without showing them. */
  readonly without_images?: true;
};

/** Creates the prompt's entry. */
type TurnStarted = {
  readonly kind: "record-turn-started";
  readonly turn_id: string;
  readonly entry_id: string;
  readonly prompt: string;
  readonly model: string;
  readonly at: number;
};

/** Only the agent's state, for a transition that changes nothing else. */
type AgentMoved = { readonly kind: "record-agent"; readonly turn_id: string };

/** Stores the request to the model with the discussion. */
type RequestRecorded = { readonly kind: "record-request"; readonly turn_id: string; readonly sent: JsonObject };

/**
 * Appends to the step's entry. Parts may be collected for a moment, but must be written before the next other record.
 */
type StepPart = OfAttempt & {
  readonly kind: "record-step-part";
  readonly entry_id: string;
  readonly part: ModelPart;
};

/** Removes the text of a failed attempt from the step's entry, because the next attempt starts from nothing. */
type StepDiscarded = OfStep & { readonly kind: "record-step-discarded"; readonly entry_id: string };

/**
 * Closes the step's entry. `calls` replaces all calls that earlier parts wrote. An entry that then holds nothing is
 * removed.
 */
type StepFinished = OfStep & {
  readonly kind: "record-step-finished";
  readonly entry_id: string;
  /** Every outcome but `answered` leaves a partial answer, which is kept and marked. */
  readonly outcome: "answered" | "interrupted" | "failed";
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
};

/**
 * Creates the entry of a call's result. Entries are created in the order of the calls, so the results have that order.
 */
type ToolPending = OfCall & { readonly kind: "record-tool-pending" };

/** The last chance to name effects that no undo can reverse. */
type ToolStarting = OfCall & { readonly kind: "record-tool-started"; readonly notices: readonly Notice[] };

type ToolProgressing = OfCall & { readonly kind: "record-tool-progress"; readonly progress: ToolProgress };

type ToolEnding = OfCall & {
  readonly kind: "record-tool-ended";
  readonly outcome: ToolOutcome;
  readonly content: string;
  readonly details?: JsonObject;
};

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
  /** The how manieth question of the step it is, and how many there are. */
  readonly number: number;
  readonly of: number;
  readonly notices: readonly Notice[];
  readonly outside?: true;
  readonly always?: ApprovalRule;
  /** Set where the question is about the budget and not about a call. */
  readonly over_budget?: OverBudget;
};

type NotifyRetry = OfStep & {
  readonly kind: "notify-retry";
  readonly failure: Failure;
  readonly retries: number;
  readonly max_retries: number;
  readonly retry_at: number;
};
