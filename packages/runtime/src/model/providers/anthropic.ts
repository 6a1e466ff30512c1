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

const BUDGET_TOKENS = 4096;

function dialectFor(model: string): Dialect {
  const { capabilities, requestConfig } = getAnthropicLanguageModelEntry(model);
  const { knownModel, maxOutputTokens } = requestConfig.language;
  const adaptive = capabilities.language.reasoning.adaptive;
  const budgeted = !adaptive && knownModel && maxOutputTokens > BUDGET_TOKENS;
  const thinks = ({ thinking }: ModelRequest) => adaptive || (budgeted && thinking === "allowed");
  const thinkingOf = (request: ModelRequest) => {
    if (adaptive) return { thinking: { type: "adaptive", display: "summarized" } };
    if (thinks(request)) return { thinking: { type: "enabled", budgetTokens: BUDGET_TOKENS } };
    return budgeted ? { thinking: { type: "disabled" } } : {};
  };
  return {
    label: "Anthropic",
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
