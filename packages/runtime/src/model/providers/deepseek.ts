import { createDeepSeek } from "@ai-sdk/deepseek";
import type { OpenProvider } from "../sdk-model.ts";

/**
 * DeepSeek signs nothing, and wants what it thought back inside a tool loop. So its thinking gets a signature
 * that says only whose it is, and goes back under the same conditions as all thinking does.
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
