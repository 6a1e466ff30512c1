import type { ToolCall } from "../session/entry.ts";
import { canonical, type Json } from "../values/json.ts";
import type { Message, Part } from "./message.ts";

/** A collision-resistant hash of a text, as text. An argument, because core has no dependencies. */
export type Hash = (text: string) => string;

/**
 * What thinking was made under: the system prompt and all messages of the request, but no thinking,
 * so that leaving out one block does not make the next one stale. The runtime stores it as `prefix`
 * with every thinking segment that the request returns.
 *
 * A chain over the parts, each link with its role: one walk over a conversation yields the
 * fingerprint of every prefix of it. Where messages begin follows from the roles.
 */
export function prefixFingerprint(
  request: { readonly system: string; readonly messages: readonly Message[] },
  hash: Hash,
): string {
  let fingerprint = fingerprintOfSystem(request.system, hash);
  for (const { role, parts } of request.messages) {
    for (const part of parts) fingerprint = extendFingerprint(fingerprint, role, part, hash);
  }
  return fingerprint;
}

/**
 * What thinking led to: the step's own text and calls. Stored as `answer` with the step's thinking
 * segments when the step ends; where it is missing, the prefix alone decides.
 */
export function answerFingerprint(
  step: { readonly content: string; readonly tool_calls?: readonly ToolCall[] },
  hash: Hash,
): string {
  const calls = (step.tool_calls ?? []).map(({ id, name, input }): Json => [id, name, input]);
  return hash(canonical([step.content, calls]));
}

export function fingerprintOfSystem(system: string, hash: Hash): string {
  return hash(`system\n${system}`);
}

export function extendFingerprint(before: string, role: Message["role"], part: Part, hash: Hash): string {
  if (part.type === "thinking") return before;
  return hash(`${before}\n${role}\n${visible(part)}`);
}

function visible(part: Exclude<Part, { type: "thinking" }>): string {
  switch (part.type) {
    case "text":
      return `text\n${part.text}`;
    case "tool-call":
      return `tool-call\n${part.call_id}\n${part.name}\n${canonical(part.input)}`;
    case "tool-result":
      return `tool-result\n${part.call_id}\n${part.name}\n${part.is_error}\n${part.output}`;
  }
}
