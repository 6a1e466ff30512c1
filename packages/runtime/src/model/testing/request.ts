import type { Message, ModelPart } from "@retake/core";
import type { Model, ModelEnd, ModelRequest } from "../model.ts";

/** A request with the tools that the scripted model uses. */
export function request(messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  const tools = ["write", "bash"].map((name) => ({ name, description: "", input: {} }));
  const { signal } = new AbortController();
  const settings = { temperature: 0, top_p: 1, max_tokens: 100, thinking: "allowed" } as const;
  return { system: "", messages, tools, ...settings, turn: 1, step: 1, signal, ...more };
}

export function prompt(text: string): Message {
  return { role: "user", parts: [{ type: "text", text, entry_id: "prompt" }] };
}

/** The whole answer of a model to a request. */
export async function answer(model: Model, to: ModelRequest): Promise<Answer> {
  const parts: ModelPart[] = [];
  let end: ModelEnd | undefined;
  for await (const said of model.stream(to)) {
    if (said.kind === "responded" || said.kind === "failed") end = said;
    else parts.push(said);
  }
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
  return { parts, text, end, calls: end?.kind === "responded" ? end.calls : [] };
}

export interface Answer {
  readonly parts: readonly ModelPart[];
  readonly text: string;
  readonly end: ModelEnd | undefined;
  readonly calls: Extract<ModelEnd, { kind: "responded" }>["calls"];
}
