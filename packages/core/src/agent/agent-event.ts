import type { ToolCall, Usage } from "../session/entry.ts";
import type { ApprovalRule } from "../session/setting.ts";
import type { JsonObject } from "../values/json.ts";
import type { CallFacts } from "./decide-approval.ts";
import type { IoErrorCode, ModelErrorCode } from "./failure.ts";

/**
 * What has happened, as the runtime saw it. Times (`at`, milliseconds since the epoch) and chance
 * (`jitter`, 0 to 1) come in here, because the agent has neither. Every event but the prompt, the
 * shutdown and the recovery names the work it belongs to, so that one that comes late is known as late.
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
  /** New for every turn. The ids of the turn's entries are made from it. */
  readonly turn_id: string;
  readonly prompt: string;
  readonly model: string;
  /** How often the model may be called, retries aside. */
  readonly max_steps?: number;
  readonly max_retries?: number;
  readonly approve_all: boolean;
  readonly at: number;
};

/** The step of a turn. */
type OfStep = { readonly turn_id: string; readonly step: number };
/** One attempt at the model or the examination of a step. */
type OfAttempt = OfStep & { readonly attempt: number };
type OfCall = OfStep & { readonly call_id: string };

/** What the model was sent, as the user can read it (D2). */
export type RequestSent = OfAttempt & { readonly kind: "request-sent"; readonly sent: JsonObject };

/** A piece of the answer as it streams in. It changes the entry and not the agent. */
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
  /** What the provider asked for in `Retry-After`. */
  readonly retry_after_ms?: number;
  readonly at: number;
  readonly jitter: number;
};

/** What the calls of the answer would touch, and the rules that hold now. */
export type CallsExamined = OfAttempt & {
  readonly kind: "calls-examined";
  readonly calls: readonly ExaminedCall[];
  readonly rules: readonly ApprovalRule[];
  readonly at: number;
};

export type ExaminedCall = {
  readonly call_id: string;
  /** It changes nothing, so it may run beside others that change nothing. */
  readonly parallel: boolean;
  readonly facts: CallFacts;
  /** Why it cannot run at all: an unknown tool, an input that is not of its form, a failed examination. Told to the model. */
  readonly problem?: string;
};

export type RetryDue = OfStep & { readonly kind: "retry-due"; readonly retries: number; readonly at: number };

export type ApprovalGiven = OfCall & {
  readonly kind: "approval-given";
  readonly decision: "allow" | "allow-always" | "deny";
  /** What the user wants the model to know about a denial. */
  readonly message?: string;
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

/** Comes exactly once for every tool that was run, also for one that was cancelled. */
export type ToolEnded = OfCall & {
  readonly kind: "tool-ended";
  readonly outcome: "completed" | "failed" | "interrupted";
  /** What the model is told. */
  readonly content: string;
  /** What else is kept with the result: exit code, receipt, times. */
  readonly details?: JsonObject;
  readonly at: number;
};

/** Comes exactly once for every hook that was run. */
export type HookFinished = OfStep & { readonly kind: "hook-finished"; readonly at: number };

/**
 * The runtime cannot go on: a commit or a capture failed, the disk is full. The event whose commit failed
 * is given again after this one.
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

/** A new process has taken over from one that was killed. Only ever the first event of a process. */
export type Recovered = { readonly kind: "recovered"; readonly at: number };
