import { type Part, withoutThinking } from "../message.ts";
import type { Projection } from "../project-messages.ts";
import { isBlank, isPlainObject, jsonProblems } from "./json-rules.ts";
import { quickHash } from "./quick-hash.ts";

export interface AnthropicRequest {
  readonly model: string;
  readonly system: string;
  /** `adaptive` models decide for each step. */
  readonly thinking: "enabled" | "adaptive" | "disabled";
  readonly messages: readonly AnthropicMessage[];
}

export interface AnthropicMessage {
  readonly role: string;
  readonly content: readonly Block[];
}

export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: "tool_result";
      readonly tool_use_id: string;
      readonly content: string;
      readonly is_error: boolean;
    };

/** Thinking is on where the projection allows it; the caller may turn it off in any request. */
export function toAnthropic(sent: Projection, model: string, wanted: "allowed" | "off" = "allowed"): AnthropicRequest {
  const off = sent.thinking === "off" || wanted === "off";
  const messages = off ? withoutThinking(sent.messages) : sent.messages;
  return {
    model,
    system: sent.system,
    thinking: off ? "disabled" : "enabled",
    messages: messages.map(({ role, parts }) => ({ role, content: parts.map(toBlock) })),
  };
}

function toBlock(part: Part): Block {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "text", text: `(image ${part.digest})` };
    case "thinking":
      return part.redacted
        ? { type: "redacted_thinking", data: part.signature }
        : { type: "thinking", thinking: part.text, signature: part.signature };
    case "tool-call":
      return { type: "tool_use", id: part.call_id, name: part.name, input: part.input };
    case "tool-result":
      return { type: "tool_result", tool_use_id: part.call_id, content: part.output, is_error: part.is_error };
  }
}

/**
 * Imitates the provider's signature: bound to the model, to everything before the answer, and to the thinking. Stricter
 * than the real one, so that everything stale is caught.
 */
export function sign(request: Omit<AnthropicRequest, "thinking">, thinking: string): string {
  const said = request.messages.map(({ role, content }) => [role, content.filter((block) => !isThinking(block))]);
  return `sig-${quickHash(JSON.stringify([request.model, request.system, said, thinking]))}`;
}

export function anthropicProblems(request: AnthropicRequest): string[] {
  const { messages } = request;
  const problems = jsonProblems(request);
  if (request.system !== "" && isBlank(request.system)) problems.push("system: text content blocks must be non-empty");
  if (messages.length === 0) problems.push("messages: at least one message is required");
  if (messages[0] && messages[0].role !== "user") problems.push("messages: first message must use the user role");
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    const at = `messages.${index}`;
    const previous = messages[index - 1];
    if (message.role !== "user" && message.role !== "assistant") problems.push(`${at}: Unexpected role`);
    if (previous?.role === message.role) problems.push(`${at}: roles must alternate between "user" and "assistant"`);
    if (message.content.length === 0) problems.push(`${at}: all messages must have non-empty content`);
    for (const block of message.content)
      problems.push(...blockProblems(block, message.role).map((each) => `${at}: ${each}`));
    for (const { id } of toolUses(message)) {
      if (ids.has(id)) problems.push(`${at}: \`tool_use\` ids must be unique`);
      ids.add(id);
    }
    problems.push(...pairProblems(message, messages[index + 1], previous).map((each) => `${at}: ${each}`));
    if (message.role === "assistant") problems.push(...answerProblems(request, index).map((each) => `${at}: ${each}`));
  });
  problems.push(...endProblems(request));
  return problems;
}

function blockProblems(block: Block, role: string): string[] {
  const problems: string[] = [];
  if (block.type === "text" && block.text === "") problems.push("text content blocks must be non-empty");
  if (block.type === "text" && isBlank(block.text))
    problems.push("text content blocks must contain non-whitespace text");
  if (block.type === "tool_use") {
    if (role !== "assistant") problems.push("`tool_use` blocks can only be in `assistant` messages");
    if (!/^[a-zA-Z0-9_-]+$/.test(block.id))
      problems.push("tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'");
    if (block.id.length > 64) problems.push("tool_use.id: String should have at most 64 characters");
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(block.name)) problems.push("tool_use.name: String should match pattern");
    if (!isPlainObject(block.input)) problems.push("tool_use.input: Input should be a valid dictionary");
  }
  if (block.type === "tool_result" && role !== "user")
    problems.push("`tool_result` blocks can only be in `user` messages");
  if (isThinking(block) && role !== "assistant") problems.push("`thinking` blocks can only be in `assistant` messages");
  return problems;
}

function pairProblems(
  message: AnthropicMessage,
  next: AnthropicMessage | undefined,
  previous: AnthropicMessage | undefined,
): string[] {
  const problems: string[] = [];
  const answered = toolResults(next);
  for (const { id } of toolUses(message)) {
    const count = answered.filter((each) => each === id).length;
    if (count === 0)
      problems.push(`\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}`);
    if (count > 1) problems.push("each tool_use must have a single result");
  }
  const asked = toolUses(previous).map(({ id }) => id);
  for (const id of toolResults(message)) {
    if (!asked.includes(id)) problems.push(`unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`);
  }
  const types = message.content.map((block) => block.type === "tool_result");
  if (types.lastIndexOf(true) >= 0 && types.indexOf(false) >= 0 && types.indexOf(false) < types.lastIndexOf(true))
    problems.push("`tool_result` blocks must come first in the content of a message");
  return problems;
}

function answerProblems(request: AnthropicRequest, index: number): string[] {
  const problems: string[] = [];
  const content = request.messages[index]?.content ?? [];
  const last = content.at(-1);
  if (last && isThinking(last)) problems.push("The final block in an assistant message cannot be `thinking`");
  const called = content.findIndex((block) => block.type === "tool_use");
  if (called >= 0 && content.findLastIndex(isThinking) > called)
    problems.push("`thinking` blocks must precede the `tool_use` blocks of their message");
  const before = { ...request, messages: request.messages.slice(0, index) };
  for (const block of content) {
    if (block.type === "thinking" && block.signature !== sign(before, block.thinking))
      problems.push("Invalid `signature` in `thinking` block");
    if (block.type === "redacted_thinking" && block.data !== sign(before, ""))
      problems.push("Invalid `data` in `redacted_thinking` block");
  }
  return problems;
}

function endProblems({ messages, thinking }: AnthropicRequest): string[] {
  const problems: string[] = [];
  const last = messages.at(-1);
  const end = last?.content.at(-1);
  if (last?.role === "assistant") {
    problems.push(
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    );
    if (end?.type === "text" && end.text !== end.text.trimEnd())
      problems.push("messages: final assistant content cannot end with trailing whitespace");
  }
  const answer = messages.findLast(({ role }) => role === "assistant");
  const first = answer?.content[0];
  const inLoop = toolResults(last).length > 0;
  if (thinking === "enabled" && inLoop && first && !isThinking(first))
    problems.push(`Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\``);
  // The provider refuses it in the last answer. A tool loop counts as one answer, so the safe rule is: no thinking
  // anywhere.
  if (thinking === "disabled" && messages.some(({ content }) => content.some(isThinking)))
    problems.push("When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`");
  return problems;
}

function isThinking(block: Block): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

function toolUses(message: AnthropicMessage | undefined): { readonly id: string }[] {
  return (message?.content ?? []).flatMap((block) => (block.type === "tool_use" ? [block] : []));
}

function toolResults(message: AnthropicMessage | undefined): string[] {
  return (message?.content ?? []).flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
}
