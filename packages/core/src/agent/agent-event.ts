import type { ToolCall, Usage } from "../session/entry.ts";
import type { JsonObject } from "../values/json.ts";
import type { OverBudget } from "./agent-state.ts";
import type { ApprovalPolicy } from "./approval-rule.ts";
import type { CallFacts } from "./decide-approval.ts";
import type { IoErrorCode, ModelErrorCode } from "./failure.ts";

/**
 * The events of the agent: what the runtime has observed. Events carry times (`at`, milliseconds since the epoch) and
 * random numbers (`jitter`, 0 to 1), because the agent has neither. Every event but the prompt, the shutdown and the
 * recovery names the work it belongs to, so that a late one is recognized.
 */
export type AgentEvent =
  | PromptSubmitted
  | RequestSent
  | ModelPartReceived
  | ModelResponded
  | ModelFailed
  | CallsExamined
  | RetryDue
  | ApprovalGiven
  | ToolProgressed
  | ToolEnded
  | HookFinished
  | IoFailed
  | InterruptRequested
  | ShutdownRequested
  | Recovered;

export type PromptSubmitted = {
  readonly kind: "prompt-submitted";
  /** New for every turn. The ids of the turn's entries are derived from it. */
  readonly turn_id: string;
  readonly prompt: string;
  readonly model: string;
  /** How often the model may be called, not counting retries. */
  readonly max_steps?: number;
  readonly max_retries?: number;
  readonly at: number;
};

/** The step of a turn. */
type OfStep = { readonly turn_id: string; readonly step: number };
/** One attempt to call the model or to examine the calls of a step. */
type OfAttempt = OfStep & { readonly attempt: number };
type OfCall = OfStep & { readonly call_id: string };

/** The request to the model, in a form that the user can read (D2). */
export type RequestSent = OfAttempt & { readonly kind: "request-sent"; readonly sent: JsonObject };

/** A piece of the answer as it streams in. It changes the entry but not the agent's state. */
export type ModelPartReceived = OfAttempt & { readonly kind: "model-part-received"; readonly part: ModelPart };

export type ModelPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string; readonly signature?: string; readonly redacted?: boolean };

export type ModelResponded = OfAttempt & {
  readonly kind: "model-responded";
  readonly stop: "end" | "tool-calls" | "length" | "refused";
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
  readonly at: number;
};

export type ModelFailed = OfAttempt & {
  readonly kind: "model-failed";
  readonly code: ModelErrorCode;
  readonly message: string;
  /** The delay that the provider requested in `Retry-After`. */
  readonly retry_after_ms?: number;
  /** Set with `over-budget` where the user can be asked whether the turn may cost more. */
  readonly over_budget?: OverBudget;
  readonly at: number;
  readonly jitter: number;
};

/** The facts about the calls of the answer, and the approval policy at this moment. */
export type CallsExamined = OfAttempt & {
  readonly kind: "calls-examined";
  readonly calls: readonly ExaminedCall[];
  readonly policy: ApprovalPolicy;
  readonly at: number;
};

export type ExaminedCall = {
  readonly call_id: string;
  /** The tool changes nothing, so it may run beside others that change nothing. */
  readonly parallel: boolean;
  readonly facts: CallFacts;
  /** Why it cannot run at all: an unknown tool, an invalid input, a failed examination. The model is told. */
  readonly problem?: string;
};

export type RetryDue = OfStep & { readonly kind: "retry-due"; readonly retries: number; readonly at: number };

export type ApprovalGiven = OfCall & {
  readonly kind: "approval-given";
  readonly decision: "allow" | "allow-always" | "deny";
  /** The reason of a denial: the user's words, or that nobody could be asked. */
  readonly reason?: string;
  readonly at: number;
};

export type ToolProgressed = OfCall & { readonly kind: "tool-progressed"; readonly progress: ToolProgress };

export type ToolProgress = {
  /** 0 to 1. */
  readonly fraction?: number;
  readonly message?: string;
  /** Units done so far. */
  readonly units?: number;
};

/** Comes exactly once for every tool that was run, also when it was cancelled. */
export type ToolEnded = OfCall & {
  readonly kind: "tool-ended";
  readonly outcome: "completed" | "failed" | "interrupted";
  /** The result as the model sees it. */
  readonly content: string;
  /** Other facts stored with the result: exit code, receipt, times. */
  readonly details?: JsonObject;
  /** The tokens that the tool used, if it asked a model. */
  readonly usage?: Usage;
  readonly at: number;
};

/** Comes exactly once for every hook that was run. */
export type HookFinished = OfStep & { readonly kind: "hook-finished"; readonly at: number };

/**
 * The runtime cannot continue: a commit or a capture failed, or the disk is full. The event whose commit failed is
 * given again after this one.
 */
export type IoFailed = OfStep & {
  readonly kind: "io-failed";
  readonly code: IoErrorCode;
  readonly message: string;
  readonly at: number;
  readonly jitter: number;
};

export type InterruptRequested = {
  readonly kind: "interrupt-requested";
  readonly turn_id: string;
  readonly at: number;
};
export type ShutdownRequested = { readonly kind: "shutdown-requested"; readonly at: number };

/**
 * A new process has taken over after another one was killed. It can only be the first event of a process. `ended`: the
 * running calls that are known to have ended with the other process.
 */
export type Recovered = { readonly kind: "recovered"; readonly ended?: readonly string[]; readonly at: number };
