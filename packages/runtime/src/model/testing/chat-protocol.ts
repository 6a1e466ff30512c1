import { type ChatMessage, openaiChatProblems } from "@retake/core/provider-rules";
import { type Chunk, event, inputText, pieces, type ScriptedAnswer } from "./answer-script.ts";
import { type Protocol, toolProblems } from "./protocol.ts";

/** Chat completions: what a server that resembles OpenAI takes, and what DeepSeek takes on top of it. */
export const compatibleProtocol: Protocol = protocol(/^\/v1\/chat\/completions$/, () => []);
export const deepseekProtocol: Protocol = protocol(/^\/chat\/completions$/, deepseekProblems);

type WireMessage = ChatMessage & { readonly reasoning_content?: string };

function protocol(path: RegExp, more: (messages: readonly WireMessage[], model: string) => string[]): Protocol {
  return {
    path,
    modelOf: (body) => String(body["model"]),
    keyOf: (headers) => String(headers["authorization"]).replace(/^Bearer /, ""),
    problems: (body, model) => {
      const messages = body["messages"] as unknown as WireMessage[];
      const tools = ((body["tools"] ?? []) as { function: { name: unknown } }[]).map((tool) => tool.function.name);
      return [...toolProblems(tools), ...openaiChatProblems(messages.map(withImagesAsText)), ...more(messages, model)];
    },
    chunks: (answer, _, model) => [...chunks(answer, model, path.source.includes("v1"))],
    errorBody: (status, message) => ({
      error: { message, type: TYPES[status] ?? "server_error", param: null, code: CODES[status] ?? null },
    }),
    errorEvent: (type, message) => event({ error: { message, type, code: type } }),
  };
}

const TYPES: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  429: "rate_limit_error",
};
const CODES: Record<number, string> = { 401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded" };

function withImagesAsText(message: WireMessage): ChatMessage {
  if (typeof message.content === "string" || message.content === null || message.content === undefined) return message;
  const content = message.content.map((part) => (part.type === "image_url" ? { type: "text", text: "(image)" } : part));
  return { ...message, content };
}

/** `deepseek-reasoner`: roles in turn, and only one text a message. V4: thinking in every answer, if only an empty one. */
function deepseekProblems(messages: readonly WireMessage[], model: string): string[] {
  const problems: string[] = [];
  messages.forEach((message, index) => {
    const at = `messages[${index}]`;
    if (["user", "assistant"].includes(message.role) && messages[index - 1]?.role === message.role)
      problems.push(`${at}: deepseek-reasoner does not support successive user or assistant messages`);
    if (message.role === "user" && model === "deepseek-reasoner" && typeof message.content !== "string")
      problems.push(`${at}: Failed to deserialize: content: expected a string`);
    if (message.role === "assistant" && model.includes("v4") && message.reasoning_content === undefined)
      problems.push(`${at}: Missing 'reasoning_content' field in the assistant message`);
  });
  return problems;
}

function* chunks({ blocks = [], stop = "end" }: ScriptedAnswer, model: string, plain: boolean): Generator<Chunk> {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({
      id: "c1",
      object: "chat.completion.chunk",
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason }],
    });
  yield { kind: "start", text: chunk({ role: "assistant", content: "" }) };
  let index = -1;
  for (const each of blocks) {
    if (each.type === "thinking" && !plain)
      for (const reasoning_content of pieces(each.text)) yield { kind: "thinking", text: chunk({ reasoning_content }) };
    if (each.type === "text") for (const content of pieces(each.text)) yield { kind: "text", text: chunk({ content }) };
    if (each.type !== "call") continue;
    index += 1;
    const call = { index, id: each.id, type: "function" };
    yield { kind: "start", text: chunk({ tool_calls: [{ ...call, function: { name: each.name, arguments: "" } }] }) };
    for (const part of pieces(inputText(each.input)))
      yield { kind: "arguments", text: chunk({ tool_calls: [{ index, function: { arguments: part } }] }) };
  }
  const reason = { end: index >= 0 ? "tool_calls" : "stop", length: "length", refused: "content_filter" }[stop];
  yield { kind: "end", text: chunk({}, reason) };
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 12,
    total_tokens: 112,
    prompt_cache_hit_tokens: 40,
    prompt_cache_miss_tokens: 60,
    prompt_tokens_details: { cached_tokens: 40 },
  };
  yield {
    kind: "end",
    text: event({ id: "c1", object: "chat.completion.chunk", created: 1, model, choices: [], usage }),
  };
  yield { kind: "end", text: "data: [DONE]\n\n" };
}
