import { createGoogle } from "@ai-sdk/google";
import { metadataText } from "../dialect.ts";
import type { OpenProvider } from "../sdk-model.ts";

/** Gemini signs its calls and not its thinking; the thinking is only shown. */
export const openGoogle: OpenProvider = (model, { apiKey, baseURL, fetch }) => ({
  language: createGoogle({ apiKey, baseURL, fetch })(model),
  dialect: {
    label: "Google",
    images: true,
    callOptions: ({ thinking_budget }) => (THINKS.test(model) ? thoughts(thinking_budget) : {}),
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

/** Gemini decides itself how much to think, unless the user set a budget. */
function thoughts(budget: number | undefined) {
  const thinkingConfig = { includeThoughts: true, ...(budget === undefined ? {} : { thinkingBudget: budget }) };
  return { providerOptions: { google: { thinkingConfig } } };
}
