import { createDeepSeek } from "@ai-sdk/deepseek";
import type { OpenProvider } from "../sdk-model.ts";

/**
 * DeepSeek signs nothing, but wants its thinking back inside a tool loop. So its thinking gets a signature that only
 * names its origin, and is sent back under the same conditions as all thinking.
 */
export const openDeepseek: OpenProvider = (model, { apiKey, baseURL, fetch }) => ({
  language: createDeepSeek({ apiKey, baseURL, fetch })(model),
  dialect: {
    label: "DeepSeek",
    images: !/^deepseek-(?:chat|reasoner|coder)\b/.test(model),
    joinsTexts: true,
    sendThinking: () => ({}),
    thinkingProof: (_, ended) => (ended ? { signature: "deepseek" } : undefined),
  },
});
