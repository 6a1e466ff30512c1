import { createAnthropic } from "@ai-sdk/anthropic";
import { getAnthropicLanguageModelEntry } from "@ai-sdk/anthropic/internal";
import { withoutThinking } from "@retake/core";
import { type Dialect, metadataText } from "../dialect.ts";
import type { ModelRequest } from "../model.ts";
import type { OpenProvider } from "../sdk-model.ts";

/**
 * Three kinds of Claude. The newest decide themselves how much to think; their requests are valid with and without
 * thinking anywhere. The middle ones think within a budget, and then refuse a tool loop whose last step shows no
 * thinking (`thinking: "off"`). The oldest, and unknown models, are called without thinking.
 */
export const openAnthropic: OpenProvider = (model, { apiKey, baseURL, fetch }) => ({
  language: createAnthropic({ apiKey, baseURL, fetch })(model),
  dialect: dialectFor(model),
});

/** "We may add new event types, and your code should handle unknown event types gracefully." */
const EVENTS: ReadonlySet<string> = new Set([
  ...["message_start", "message_delta", "message_stop", "ping", "error"],
  ...["content_block_start", "content_block_delta", "content_block_stop"],
]);

/** Where nothing is known about the model. */
const DEFAULT_BUDGET = 4096;
/** The least that Anthropic accepts. */
const LEAST_BUDGET = 1024;

function dialectFor(model: string): Dialect {
  const { capabilities, requestConfig } = getAnthropicLanguageModelEntry(model);
  const { knownModel, maxOutputTokens } = requestConfig.language;
  const adaptive = capabilities.language.reasoning.adaptive;
  const budgeted = !adaptive && knownModel && maxOutputTokens > DEFAULT_BUDGET;
  // The SDK adds the budget to the tokens of the answer, and both together may not exceed what the model writes.
  const budgetOf = ({ thinking_budget = DEFAULT_BUDGET, max_tokens }: ModelRequest) =>
    Math.min(thinking_budget, maxOutputTokens - Math.min(max_tokens, maxOutputTokens / 2));
  const thinks = (request: ModelRequest) =>
    request.thinking_budget !== 0 &&
    (adaptive || (budgeted && request.thinking === "allowed" && budgetOf(request) >= LEAST_BUDGET));
  const thinkingOf = (request: ModelRequest) => {
    if (!thinks(request)) return budgeted || adaptive ? { thinking: { type: "disabled" } } : {};
    if (adaptive) return { thinking: { type: "adaptive", display: "summarized" } };
    return { thinking: { type: "enabled", budgetTokens: budgetOf(request) } };
  };
  return {
    label: "Anthropic",
    events: EVENTS,
    images: true,
    cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
    callOptions: (request) => ({ providerOptions: { anthropic: thinkingOf(request) } }),
    messages: (request) => (thinks(request) ? request.messages : withoutThinking(request.messages)),
    sendThinking: ({ signature, redacted }) => ({
      anthropic: redacted ? { redactedData: signature } : { signature },
    }),
    thinkingProof: (metadata) => {
      const redacted = metadataText(metadata, "anthropic", "redactedData");
      if (redacted !== undefined) return { signature: redacted, redacted: true };
      const signature = metadataText(metadata, "anthropic", "signature");
      return signature === undefined ? undefined : { signature };
    },
  };
}
