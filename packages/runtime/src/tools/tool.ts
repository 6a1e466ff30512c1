import type { CallFacts, JsonObject, ToolProgress } from "@retake/core";

/**
 * What the agent can do besides talking. A tool says beforehand what a call would touch
 * (`examine`), so that it can be approved, and then does it (`run`). It decides nothing about
 * approval, captures and history: those are around it.
 */
export interface Tool {
  readonly name: string;
  /** What the model is told of it. */
  readonly description: string;
  /** JSON Schema of the input, an object. */
  readonly input: JsonObject;
  /** What is wrong with an input, told to the model; undefined when nothing is. */
  check(input: JsonObject): string | undefined;
  /** What the call would touch, with links resolved. Looks, and changes nothing. */
  examine(input: JsonObject, place: Place): Promise<CallFacts>;
  run(input: JsonObject, run: ToolRun): Promise<ToolEnd>;
}

export interface Place {
  /** The workspace, absolute, links resolved. */
  readonly root: string;
}

export interface ToolRun extends Place {
  readonly signal: AbortSignal;
  /** What it has said so far, and how far it is. */
  report(progress: ToolProgress & { readonly text?: string }): void;
  /** Where output that is too long for the model is kept whole, so that it can be read on. */
  readonly overflow: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ToolEnd {
  readonly outcome: "completed" | "failed" | "interrupted";
  /** What the model is told. */
  readonly content: string;
  /** What else is kept with the result: exit code, what was cut, times. */
  readonly details?: JsonObject;
}
