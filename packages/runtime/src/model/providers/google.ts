import { createGoogle } from "@ai-sdk/google";
import { metadataText } from "../dialect.ts";
import type { OpenProvider } from "../sdk-model.ts";

/** Gemini signs its calls and not its thinking; the thinking is only shown. */
export const openGoogle: OpenProvider = (model, { apiKey, baseURL, fetch }) => ({
  language: createGoogle({ apiKey, baseURL, fetch })(model),
  dialect: {
    label: "Google",
    images: true,
    callOptions: ({ thinking_budget }) => (THINKS.test(model) ? thoughts(model, thinking_budget) : {}),
    sendThinking: ({ signature }) => ({ google: { thoughtSignature: signature } }),
    sendCallProof: (signature) => ({ google: { thoughtSignature: signature } }),
    thinkingProof: (metadata) => {
      const signature = metadataText(metadata, "google", "thoughtSignature");
      return signature === undefined ? undefined : { signature };
    },
    callProof: (metadata) => metadataText(metadata, "google", "thoughtSignature"),
  },
});

/** Other models refuse a request that mentions thinking. */
const THINKS = /^gemini-(?:2\.5|[3-9]|\d{2})(?!.*image)/;

/** Gemini decides itself how much to think, unless a budget is set. */
function thoughts(model: string, budget: number | undefined) {
  const thinkingConfig = { includeThoughts: true, ...(budget === undefined ? {} : limit(model, budget)) };
  return { providerOptions: { google: { thinkingConfig } } };
}

/** Only Flash 2.5 can be kept from thinking: others get the least that they accept. */
function limit(model: string, budget: number) {
  if (budget > 0 || model.startsWith("gemini-2.5-flash")) return { thinkingBudget: budget };
  return model.startsWith("gemini-2.5") ? { thinkingBudget: 128 } : { thinkingLevel: "low" };
}
