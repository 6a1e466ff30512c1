/** Numbers and times in words. */
import { AI, type Entry, type JsonObject } from "@retake/core";

/** `12 s`, `3 min`, `2 h`: how long something took. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** `950`, `12.4k`, `1.2M`. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

export function money(dollars: number): string {
  return `$${dollars !== 0 && dollars < 0.01 ? dollars.toPrecision(2) : dollars.toFixed(2)}`;
}

/** The question whether a thread may cost more, from its input (`OverBudget`). */
export function budgetWords({ cost, budget, raised }: JsonObject): string {
  return `This thread has cost ${money(Number(cost))} of its budget of ${money(Number(budget))}. Go on until ${money(Number(raised))}?`;
}

export const NO_WORD = "The model ended without a word.";

/** The words in place of a model's answer that has neither text nor calls; undefined for every other entry. */
export function emptyAnswer({ role, turn_id, content, tool_calls }: Entry): string | undefined {
  if (role !== AI || turn_id === undefined || content.trim() !== "" || tool_calls?.length) return undefined;
  // An answer keeps its list of calls when they are taken back.
  return tool_calls ? "Its calls were taken back." : NO_WORD;
}

/** The marks of a turn or a call that did not end well, in words. */
export const STATUS_WORDS: Readonly<Record<string, string>> = {
  running: "running",
  "cut-off": "cut off: max_tokens reached, or the context window full",
  refused: "the model declined",
  "step-limit": "all steps used",
  interrupted: "interrupted",
  failed: "failed",
  denied: "denied",
  unknown: "unknown: Retake was killed while it ran",
};
