import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Refusal } from "@retake/core";
import type {
  ApprovalQuestion,
  Busy,
  Retake,
  TakenBackAnswer,
  TakenBackOutcome,
  TurnRequest,
  TurnResult,
} from "@retake/runtime";
import { localTurns } from "./local-turns.ts";

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

/**
 * The server where one runs whose turns would come out as ours, so that every client sees the turn, answers for it and can
 * end it (decision 0011); otherwise this process.
 */
export async function turnPlace(retake: Retake): Promise<TurnPlace> {
  const { state } = retake.directories;
  // A look at most: usually no server runs, and then nothing is loaded for one.
  if (!existsSync(join(state, "server.json"))) return localTurns(retake);
  const { servedTurns } = await import("./served-turns.ts");
  return (await servedTurns(retake)) ?? localTurns(retake);
}
