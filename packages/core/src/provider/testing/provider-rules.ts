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
 * The oracle of the projection: the rules by which the providers refuse requests, written from their documentation and
 * error messages and not from our code. Each converter is naive like an SDK's: it maps and repairs nothing, so that a
 * mistake of the projection reaches the validator. Each problem uses the provider's own words where these are known.
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
  /** Why the provider would refuse the request; empty when it accepts it. */
  readonly problems: (sent: Projection, model: string) => string[];
}
