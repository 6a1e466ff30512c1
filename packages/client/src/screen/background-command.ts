import type { Entry, JsonObject } from "@retake/core";

/** A command that a call started in the background. */
export interface BackgroundCommand {
  /** `bash-1`. */
  readonly name: string;
  readonly isRunning: boolean;
  /** How it ended, in words; empty while it runs. */
  readonly end: string;
  /** The end of its output, once it has ended. */
  readonly output: string;
}

/** The command in the background that a call's result tells of. `isTurnRunning`: none runs on after its turn. */
export function backgroundCommand(result: Entry | undefined, isTurnRunning: boolean): BackgroundCommand | undefined {
  const { background: name } = (result?.["details"] ?? {}) as { readonly background?: unknown };
  if (typeof name !== "string") return undefined;
  const state = result?.background ?? {};
  const isRunning = isTurnRunning && state["status"] !== "ended";
  return { name, isRunning, end: isRunning ? "" : endWords(state), output: String(state["output"] ?? "") };
}

function endWords({ by, exit_code: code, signal }: JsonObject): string {
  if (by === "itself") return signal === null ? `ended: exit code ${code}` : `ended by ${signal}`;
  return by === "kill" ? "ended with Retake" : "ended";
}
