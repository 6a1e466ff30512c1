import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { OpenProvider } from "../sdk-model.ts";

/** Ollama, llama.cpp, vLLM, LM Studio and others. Only plain chat completions with tools are assumed. */
export const openCompatible: OpenProvider = (model, { apiKey, baseURL, fetch }) => ({
  language: createOpenAICompatible({
    name: "compatible",
    baseURL,
    fetch,
    includeUsage: true,
    ...(apiKey === "" ? {} : { apiKey }),
  })(model),
  dialect: { label: "The endpoint", images: true, joinsTexts: true },
});
