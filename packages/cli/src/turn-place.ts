import type { Refusal } from "@retake/core";
import type {
  ApprovalQuestion,
  Busy,
  TakenBackAnswer,
  TakenBackOutcome,
  TurnRequest,
  TurnResult,
} from "@retake/runtime";

/** Where turns run: in this process, or in the server of the store. They look the same from either. */
export interface TurnPlace {
  run(turn: AskedTurn, watch: Watch): Promise<EndedTurn>;
  retry(turn: AskedTurn, watch: RetryWatch): Promise<EndedTurn | ConflictingRetry>;
}

export type AskedTurn = Pick<TurnRequest, "thread" | "prompt" | "model">;

/** What a screen gives to a turn: its answers and its eyes. */
export interface Watch extends Pick<TurnRequest, "approveAll" | "onEvent" | "signal"> {
  /** `gone`: somebody else has answered, or nobody asks any more; the reason is a sentence. */
  approve(question: ApprovalQuestion, gone?: AbortSignal): ReturnType<TurnRequest["approve"]>;
}

export interface RetryWatch extends Watch {
  /** Told when the turn before is taken back and this one has begun. */
  onTakenBack(answer: TakenBackAnswer): void;
}

export type EndedTurn = TurnResult | Busy | Refusal;
export type ConflictingRetry = Extract<TakenBackOutcome, { kind: "conflicts" }>;
