import { refuse } from "@retake/core";
import { systemFailure } from "../store/system-failure.ts";
import { BUSY } from "../undo/hold-workspace.ts";
import type { TakeBackResult } from "../undo/take-back.ts";

/** Why a turn was not started. */
export interface NotStarted {
  readonly code: string;
  readonly message: string;
}

export const INTERRUPTED: NotStarted = { code: "interrupted", message: "The turn was interrupted before it began." };
export const REMOVED: NotStarted = { code: "removed", message: "The turn was taken out of the queue before it began." };
export const PAUSED: NotStarted = {
  code: "paused",
  message: "The process ended before the turn began. The prompt is kept: retake queue shows it.",
};
export const RESET: NotStarted = {
  code: "reset",
  message: "The thread was reset before the turn began. An undo of the reset brings the prompt back: retake queue.",
};
export const WAITED: NotStarted = { code: "busy", message: BUSY.message };

export const NOT_WAITING = refuse("not-found", "No turn of that id waits in this thread here. Nothing was changed.");
export const IS_PAUSED = refuse(
  "invalid-input",
  "The prompt is paused, and nothing was changed. Take it out of the queue and send it as you want it.",
);
export const NOTHING_PAUSED = refuse("not-found", "No such prompt is paused in this thread. Nothing was started.");
export const AGENT_RUNS = refuse("agent-running", "A turn of this thread runs or waits. Nothing was changed.");

export const NO_QUESTION = refuse("not-found", "No call of that id waits for approval here. Nothing was changed.");

export function whyNot(result: Exclude<TakeBackResult, { kind: "busy" }>): NotStarted {
  if (result.kind === "refused") return result;
  if (result.kind === "nothing") return { code: "nothing-to-do", message: result.message };
  return { code: "conflict", message: "Files were changed since. Nothing was changed." };
}

export function failureOf(error: unknown): NotStarted {
  const { code = "failed", message } = systemFailure(error) ?? (error as Error & { readonly code?: string });
  return { code, message };
}
