import type { Notice, ToolStatus, Usage } from "../session/entry.ts";
import type { ApprovalRule } from "./approval-rule.ts";

/**
 * The state of a take's agent (L1). It is plain data: it is stored as a record, so it survives a round trip through
 * JSON. It names the entries it works on and never holds their text.
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
  /** The last turn and how it ended; absent before the first one. */
  readonly last?: FinishedTurn;
};

/** A request was sent to the model; the parts of its answer arrive as events and are written to `turn.entry_id`. */
export type CallingModel = {
  readonly kind: "calling-model";
  readonly turn: RunningTurn;
  readonly attempt: number;
  /** Set while the user is asked whether the turn may cost more: the request was not sent. */
  readonly over_budget?: OverBudget;
};

/** The thread has cost what it may. */
export type OverBudget = {
  /** The cost and the budget, in words. */
  readonly message: string;
  /** In dollars. */
  readonly cost: number;
  readonly budget: number;
  /** The budget with which it would go on. */
  readonly raised: number;
};

/** The name of the question about the budget; it stands where the id of a call does. */
export const BUDGET = "budget";

/** The answer is durable and asks for tools; the runtime examines what they would touch. */
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
  /** Set when the turn must end as soon as nothing runs any more. */
  readonly ending?: Ending;
};

export type PostToolsHook = {
  readonly kind: "post-tools-hook";
  readonly turn: RunningTurn;
  readonly ending?: Ending;
};

/** A failure that may pass: `resume` is tried again at `retry_at`. A permanent failure ends the turn instead. */
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

/** The work that failed: the state to return to, without the fields that the error state holds itself. */
export type Resume =
  | { readonly kind: "calling-model" }
  | { readonly kind: "processing-response"; readonly calls: readonly NamedCall[] };

/** A state in which a turn runs. */
export type ActiveState = Exclude<AgentState, WaitingForInput | ShuttingDown>;

/** The identity of the work, through all states of a turn. */
export type RunningTurn = {
  readonly turn_id: string;
  readonly model: string;
  /** Counts the calls of the model in this turn, from 1, without retries. */
  readonly step: number;
  /** The entry that receives the step's answer. */
  readonly entry_id: string;
  readonly max_steps: number;
  readonly max_retries: number;
  /** Summed over the answered steps. */
  readonly usage: Usage;
  /** Set after the provider rejected the proof of earlier thinking: this turn's requests contain none. */
  readonly without_thinking?: true;
  /** Set after the provider rejected an image: this turn's requests only name the images. */
  readonly without_images?: true;
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
  /** The turn used all its steps. */
  | "step-limit"
  | "interrupted"
  | "failed";

/** How a turn will end once all running work has stopped. */
export type Ending = {
  readonly status: "interrupted" | "failed";
  readonly failure?: Failure;
  /** Whether the agent shuts down afterwards. */
  readonly shutdown: boolean;
};

export type Failure = {
  readonly origin: "model" | "io";
  readonly code: string;
  readonly message: string;
  /** The next step for the user. */
  readonly advice: string;
};

/** A call of the step's answer, and the entry that receives its result. */
export type NamedCall = { readonly call_id: string; readonly name: string; readonly entry_id: string };

/** A tool call on its way: pending → running → completed (L2). */
export type Execution = PendingExecution | RunningExecution | CompletedExecution;

export type PendingExecution = NamedCall & {
  readonly status: "pending";
  readonly parallel: boolean;
  readonly notices: readonly Notice[];
  readonly approval: "given" | "awaited";
  /** It runs outside of the confinement. */
  readonly outside?: true;
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
