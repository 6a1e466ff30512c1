import type { JsonObject } from "@retake/core";
import type { Chunk, ScriptedAnswer } from "./answer-script.ts";

/** How one provider reads requests and writes answers. Written from the providers' documentation and error messages. */
export interface Protocol {
  /** Whether a request is for it, by method and path. */
  readonly path: RegExp;
  /** The model that the request names. */
  readonly modelOf: (body: JsonObject, path: string) => string;
  readonly keyOf: (headers: Readonly<Record<string, unknown>>) => string;
  /** Why the provider would refuse the request as it came over the wire; none when it takes it. */
  readonly problems: (body: JsonObject, model: string) => string[];
  readonly chunks: (answer: ScriptedAnswer, body: JsonObject, model: string) => Chunk[];
  readonly errorBody: (status: number, message: string) => unknown;
  readonly errorEvent: (type: string, message: string) => string;
}

export function toolProblems(names: readonly unknown[]): string[] {
  const wrong = names.filter((name) => typeof name !== "string" || !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name));
  const problems = wrong.map((name) => `tools: ${JSON.stringify(name)} is no name of a tool`);
  return new Set(names).size === names.length ? problems : [...problems, "tools: Tool names must be unique."];
}
