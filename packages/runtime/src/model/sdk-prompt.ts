import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { AssistantMessage, AssistantPart, ImagePart, Message, ToolResultPart, UserMessage } from "@retake/core";
import type { Dialect } from "./dialect.ts";
import type { ModelRequest } from "./model.ts";

/**
 * The conversation in the form of the AI SDK, part by part. Its only decision is where the provider's cache is marked:
 * at the end of the system prompt, at the end of the conversation, and at the end of the last request, so that its
 * cache is found however much one step has added.
 */
export function sdkPrompt(request: ModelRequest, dialect: Dialect): LanguageModelV4Prompt {
  const messages = dialect.messages?.(request) ?? request.messages;
  const marked = dialect.cacheMark ? markedMessages(messages) : new Set<Message>();
  const prompt: LanguageModelV4Message[] = [];
  if (request.system !== "") prompt.push({ role: "system", content: request.system, ...mark(dialect) });
  for (const message of messages) {
    if (message.role === "assistant") prompt.push(answer(message, dialect));
    else prompt.push(...heard(message, request, dialect, marked.has(message)));
  }
  return prompt;
}

function markedMessages(messages: readonly Message[]): Set<Message> {
  return new Set(messages.filter(({ role }) => role === "user").slice(-2));
}

type Answered = Extract<LanguageModelV4Message, { role: "assistant" }>;

function answer({ parts }: AssistantMessage, dialect: Dialect): Answered {
  return { role: "assistant", content: parts.flatMap((part) => said(part, dialect) ?? []) };
}

function said(part: AssistantPart, { sendThinking, sendCallProof }: Dialect): Answered["content"][number] | undefined {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "thinking":
      return sendThinking && { type: "reasoning", text: part.text, providerOptions: sendThinking(part) };
    case "tool-call": {
      const proof = part.signature === undefined ? undefined : sendCallProof?.(part.signature);
      const { call_id: toolCallId, name: toolName, input } = part;
      return { type: "tool-call", toolCallId, toolName, input, ...(proof ? { providerOptions: proof } : {}) };
    }
  }
}

/** Results are a separate message; the user's text comes after it. */
function heard(
  { parts }: UserMessage,
  request: ModelRequest,
  dialect: Dialect,
  marked: boolean,
): LanguageModelV4Message[] {
  const results = parts.flatMap((part) => (part.type === "tool-result" ? [result(part)] : []));
  const others = parts.flatMap((part): UserContent[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    return part.type === "image" ? [image(part, request, dialect)] : [];
  });
  const spoken = dialect.joinsTexts ? joined(others) : others;
  const last = (spoken.at(-1) ?? results.at(-1)) as UserContent | LanguageModelV4ToolResultPart | undefined;
  if (marked && last) Object.assign(last, mark(dialect));
  return [
    ...(results.length > 0 ? [{ role: "tool", content: results } as const] : []),
    ...(spoken.length > 0 ? [{ role: "user", content: spoken } as const] : []),
  ];
}

type UserContent = LanguageModelV4TextPart | LanguageModelV4FilePart;

function result({ call_id, name, output, is_error }: ToolResultPart): LanguageModelV4ToolResultPart {
  const type = is_error ? "error-text" : "text";
  return { type: "tool-result", toolCallId: call_id, toolName: name, output: { type, value: output } };
}

function image(
  { path, media_type, digest, problem }: ImagePart,
  { images }: ModelRequest,
  dialect: Dialect,
): UserContent {
  const data = images?.get(digest);
  const why = problem ?? (dialect.images ? undefined : "this model takes no images");
  if (why !== undefined || !data) {
    return { type: "text", text: `(The image ${path} is not shown: ${why ?? "it is not part of this request"}.)` };
  }
  return { type: "file", mediaType: media_type, data: { type: "data", data } };
}

/** Joins consecutive texts, with an empty line between them. */
function joined(parts: readonly UserContent[]): UserContent[] {
  const result: UserContent[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.type === "text" && last?.type === "text")
      result[result.length - 1] = { type: "text", text: `${last.text}\n\n${part.text}` };
    else result.push(part);
  }
  return result;
}

function mark({ cacheMark }: Dialect) {
  return cacheMark ? { providerOptions: cacheMark } : {};
}
