import type { Projection } from "../project-messages.ts";
import { isBlank, isPlainObject, jsonProblems } from "./json-rules.ts";

export interface ChatMessage {
  readonly role: string;
  readonly content: string | null | readonly { readonly type: string; readonly text: string }[];
  readonly tool_calls?: readonly ChatCall[];
  readonly tool_call_id?: string;
}

interface ChatCall {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** As in the AI SDK: results become `tool` messages, thinking is not sent. */
export function toOpenaiChat(sent: Projection): ChatMessage[] {
  const messages: ChatMessage[] = sent.system === "" ? [] : [{ role: "system", content: sent.system }];
  for (const message of sent.messages) {
    const texts = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    if (message.role === "assistant") {
      const tool_calls = message.parts.flatMap((part): ChatCall[] =>
        part.type === "tool-call"
          ? [
              {
                id: part.call_id,
                type: "function",
                function: { name: part.name, arguments: JSON.stringify(part.input) },
              },
            ]
          : [],
      );
      const content = texts.length === 0 ? null : texts.join("");
      messages.push({ role: "assistant", content, ...(tool_calls.length === 0 ? {} : { tool_calls }) });
      continue;
    }
    for (const part of message.parts) {
      if (part.type === "tool-result")
        messages.push({ role: "tool", tool_call_id: part.call_id, content: part.output });
    }
    if (texts.length > 0) messages.push({ role: "user", content: texts.map((text) => ({ type: "text", text })) });
  }
  return messages;
}

export function openaiChatProblems(messages: readonly ChatMessage[]): string[] {
  const problems = jsonProblems(messages);
  if (!messages.some(({ role }) => role === "user" || role === "tool"))
    problems.push("'messages' has nothing to answer");
  if (messages.at(-1)?.role === "assistant") problems.push("the last message must be from the user or a tool");
  const ids = new Set<string>();
  /** Ids of the last assistant message that still wait for their tool message. */
  let open: string[] = [];
  messages.forEach((message, index) => {
    const at = `messages[${index}]`;
    if (message.role === "tool") {
      const id = message.tool_call_id ?? "";
      if (!open.includes(id))
        problems.push(`${at}: messages with role 'tool' must be a response to a preceding message with 'tool_calls'`);
      open = open.filter((each) => each !== id);
      if (typeof message.content !== "string") problems.push(`${at}.content: a tool message needs content`);
      return;
    }
    if (open.length > 0)
      problems.push(
        `${at}: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${open}`,
      );
    open = [];
    if (!["system", "user", "assistant"].includes(message.role)) problems.push(`${at}.role: invalid value`);
    if (message.role === "system" && index > 0) problems.push(`${at}: a system message may only come first`);
    problems.push(...contentProblems(message).map((each) => `${at}.content: ${each}`));
    for (const call of message.tool_calls ?? []) {
      problems.push(...callProblems(call).map((each) => `${at}.tool_calls: ${each}`));
      if (ids.has(call.id)) problems.push(`${at}.tool_calls: Duplicate value for 'tool_call_id' of '${call.id}'`);
      ids.add(call.id);
      open.push(call.id);
    }
  });
  if (open.length > 0)
    problems.push(`end: An assistant message with 'tool_calls' must be followed by tool messages: ${open}`);
  return problems;
}

function contentProblems({ role, content, tool_calls }: ChatMessage): string[] {
  if (content === null) {
    return role === "assistant" && (tool_calls?.length ?? 0) > 0 ? [] : ["expected a string, got null"];
  }
  const calls = role === "assistant" && (tool_calls?.length ?? 0) > 0;
  if (typeof content === "string") return isBlank(content) && !calls ? ["must not be empty"] : [];
  if (content.length === 0) return ["Expected an array with minimum length 1"];
  return content.some(({ text }) => isBlank(text)) ? ["a text part must not be empty"] : [];
}

function callProblems(call: ChatCall): string[] {
  const problems: string[] = [];
  if (call.id === "" || call.id.length > 40)
    problems.push("id: string too long. Expected a string with maximum length 40");
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name))
    problems.push("function.name: string does not match pattern '^[a-zA-Z0-9_-]+$'");
  try {
    if (!isPlainObject(JSON.parse(call.function.arguments))) problems.push("function.arguments: must be an object");
  } catch {
    problems.push("function.arguments: must be valid JSON");
  }
  return problems;
}
