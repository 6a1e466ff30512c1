import { createGoogle } from "@ai-sdk/google";
import { metadataText } from "../dialect.ts";
import type { OpenProvider } from "../sdk-model.ts";

/** Gemini signs its calls and not its thinking; the thinking is only shown. */
export const openGoogle: OpenProvider = (model, { apiKey, baseURL, fetch }) => ({
  language: createGoogle({ apiKey, baseURL, fetch })(model),
  dialect: {
    label: "Google",
    images: true,
    callOptions: () => (THINKS.test(model) ? { providerOptions: { google: SHOW_THOUGHTS } } : {}),
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

const SHOW_THOUGHTS = { thinkingConfig: { includeThoughts: true } };
