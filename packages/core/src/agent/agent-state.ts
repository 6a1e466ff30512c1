import type { ToolStatus, Usage } from "../session/entry.ts";
import type { ApprovalRule } from "../session/setting.ts";
import type { Notice } from "./decide-approval.ts";

/**
 * Where the agent of a take stands (L1). Plain data: it is stored as a record, so it survives a
 * round trip through JSON. It names the entries it works on and never holds their text.
 */
export type AgentState =
  | WaitingForInput
  | CallingModel
  | ProcessingResponse
  | ExecutingTools
  | PostToolsHook
  | WaitingAfterError
  | ShuttingDown;

export type WaitingForInput = {
  readonly kind: "waiting-for-input";
  /** The turn that ran last and how it ended; absent before the first one. */
  readonly last?: FinishedTurn;
};

/** A request is with the model; its parts arrive as events and go into `turn.entry_id`. */
export type CallingModel = {
  readonly kind: "calling-model";
  readonly turn: RunningTurn;
  readonly attempt: number;
};

/** The answer is durable and asks for tools; the runtime is finding out what they would touch. */
export type ProcessingResponse = {
  readonly kind: "processing-response";
  readonly turn: RunningTurn;
  readonly attempt: number;
  readonly calls: readonly NamedCall[];
};

export type ExecutingTools = {
  readonly kind: "executing-tools";
  readonly turn: RunningTurn;
  readonly executions: readonly Execution[];
  /** Set once the turn is to end as soon as nothing runs any more. */
  readonly ending?: Ending;
};

export type PostToolsHook = {
  readonly kind: "post-tools-hook";
  readonly turn: RunningTurn;
  readonly ending?: Ending;
};

/** Something failed that may work later; `resume` is tried again at `retry_at`. A failure for good ends the turn instead. */
export type WaitingAfterError = {
  readonly kind: "error";
  readonly turn: RunningTurn;
  readonly failure: Failure;
  /** How often `resume` has failed in this step. */
  readonly retries: number;
  /** Milliseconds since the epoch. */
  readonly retry_at: number;
  readonly resume: Resume;
};

export type ShuttingDown = { readonly kind: "shutting-down" };

/** What was being done when it failed: the state to return to, without what the error state holds itself. */
export type Resume =
  | { readonly kind: "calling-model" }
  | { readonly kind: "processing-response"; readonly calls: readonly NamedCall[] };

/** A state in which a turn runs. */
export type ActiveState = Exclude<AgentState, WaitingForInput | ShuttingDown>;

/** What identifies the work through all states of a turn. */
export type RunningTurn = {
  readonly turn_id: string;
  readonly model: string;
  /** Counts the calls of the model in this turn that are not retries, from 1. */
  readonly step: number;
  /** The entry that the step's answer goes into. */
  readonly entry_id: string;
  readonly max_steps: number;
  readonly max_retries: number;
  /** The user approved every tool of this turn beforehand (`--yes`). */
  readonly approve_all: boolean;
  /** Of the steps that were answered so far. */
  readonly usage: Usage;
  /** The provider rejected the proof of earlier thinking: this turn is sent none. */
  readonly without_thinking?: true;
};

export type FinishedTurn = {
  readonly turn_id: string;
  readonly model: string;
  readonly steps: number;
  readonly status: TurnStatus;
  readonly failure?: Failure;
};

export type TurnStatus =
  | "finished"
  /** The model reached its limit of tokens in the middle of an answer. */
  | "cut-off"
  /** The model declined to answer. */
  | "refused"
  /** The turn used all the steps it was given. */
  | "step-limit"
  | "interrupted"
  | "failed";

/** How a turn will end once what still runs has stopped. */
export type Ending = {
  readonly status: "interrupted" | "failed";
  readonly failure?: Failure;
  /** Whether the agent shuts down afterwards. */
  readonly shutdown: boolean;
};

export type Failure = {
  readonly origin: "model" | "io";
  readonly code: string;
  /** What happened. */
  readonly message: string;
  /** What the user can do about it. */
  readonly advice: string;
};

/** A call of the step's answer and the entry its result goes into. */
export type NamedCall = { readonly call_id: string; readonly name: string; readonly entry_id: string };

/** A tool call on its way: pending → running → completed (L2). */
export type Execution = PendingExecution | RunningExecution | CompletedExecution;

export type PendingExecution = NamedCall & {
  readonly status: "pending";
  readonly parallel: boolean;
  readonly notices: readonly Notice[];
  readonly approval: "given" | "awaited";
  /** See `decideApproval`. */
  readonly always?: ApprovalRule;
};

export type RunningExecution = NamedCall & {
  readonly status: "running";
  readonly parallel: boolean;
};

export type CompletedExecution = NamedCall & {
  readonly status: "completed";
  readonly parallel: boolean;
  readonly outcome: ToolOutcome;
};

export type ToolOutcome = Exclude<ToolStatus, "pending" | "running">;

export const IDLE_AGENT: WaitingForInput = { kind: "waiting-for-input" };
