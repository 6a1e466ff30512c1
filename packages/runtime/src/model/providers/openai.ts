import { createOpenAI } from "@ai-sdk/openai";
import { metadataText } from "../dialect.ts";
import type { OpenProvider } from "../sdk-model.ts";

/**
 * The Responses API without its storage: each request contains the whole conversation, and reasoning is sent as
 * encrypted items. They are sent without ids: OpenAI would look an id up, and bind it to the items around it.
 */
export const openOpenai: OpenProvider = (model, { apiKey, baseURL, fetch }) => {
  // Summaries of thinking are only for organizations that OpenAI has verified; others work without.
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
