import type { Projection } from "../project-messages.ts";
import { anthropicProblems, toAnthropic } from "./anthropic-rules.ts";
import { geminiProblems, toGemini } from "./gemini-rules.ts";
import { openaiChatProblems, toOpenaiChat } from "./openai-chat-rules.ts";
import { openaiResponsesProblems, toOpenaiResponses } from "./openai-responses-rules.ts";

export { type AnthropicRequest, anthropicProblems, type Block, sign } from "./anthropic-rules.ts";
export { type GeminiContent, geminiProblems, UNSIGNED } from "./gemini-rules.ts";
export { type ChatMessage, openaiChatProblems } from "./openai-chat-rules.ts";
export { openaiResponsesProblems, type ResponsesItem } from "./openai-responses-rules.ts";

/**
 * The oracle of the projection: what the providers refuse, written from their documentation and their
 * error messages and not from our code. Each converter is naive, as an SDK's is: it maps and mends
 * nothing, so that a mistake of the projection reaches the validator. Each problem is worded as the
 * provider words it where its message is known.
 */
export const PROVIDERS: readonly Provider[] = [
  { name: "Anthropic Messages", problems: (sent, model) => anthropicProblems(toAnthropic(sent, model)) },
  {
    name: "Anthropic Messages, thinking turned off",
    problems: (sent, model) => anthropicProblems(toAnthropic(sent, model, "off")),
  },
  { name: "OpenAI Chat Completions", problems: (sent) => openaiChatProblems(toOpenaiChat(sent)) },
  { name: "OpenAI Responses", problems: (sent) => openaiResponsesProblems(toOpenaiResponses(sent)) },
  { name: "Google Gemini", problems: (sent) => geminiProblems(toGemini(sent)) },
];

interface Provider {
  readonly name: string;
  /** Why the provider would refuse the request; none when it takes it. */
  readonly problems: (sent: Projection, model: string) => string[];
}
