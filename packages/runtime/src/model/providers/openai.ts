import { createOpenAI } from "@ai-sdk/openai";
import { metadataText } from "../dialect.ts";
import type { OpenProvider } from "../sdk-model.ts";

/**
 * The Responses API, without its memory: nothing is stored there, so each request holds the whole
 * conversation, and reasoning comes and goes as encrypted items. They are sent without ids: an id
 * would be looked up, and is bound to the items around it.
 */
export const openOpenai: OpenProvider = (model, { apiKey, baseURL, fetch }) => {
  // Summaries of what it thinks are only for organizations that OpenAI has verified; others do without.
  let summaries = true;
  return {
    language: createOpenAI({ apiKey, baseURL, fetch }).responses(model),
    dialect: {
      label: "OpenAI",
      images: true,
      callOptions: () => ({
        providerOptions: { openai: { store: false, ...(summaries ? { reasoningSummary: "auto" } : {}) } },
      }),
      adapts: (refusal) => {
        const adapted = summaries && /reasoning\.summary|reasoning summar/i.test(refusal);
        if (adapted) summaries = false;
        return adapted;
      },
      sendThinking: ({ signature }) => ({ openai: { reasoningEncryptedContent: signature } }),
      thinkingProof: (metadata, ended) => {
        const signature = metadataText(metadata, "openai", "reasoningEncryptedContent");
        return ended && signature !== undefined ? { signature } : undefined;
      },
    },
  };
};
