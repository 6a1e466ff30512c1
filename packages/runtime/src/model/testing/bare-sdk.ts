import { createAnthropic } from "@ai-sdk/anthropic";
import { KEY, type ProviderServer } from "./provider-server.ts";

/** The AI SDK with nothing around it: asks, reads the answer to its end, and throws it away. To compare with. */
export function bareSdk(server: ProviderServer, model: string): (prompt: string) => Promise<void> {
  const baseURL = `${server.environment["ANTHROPIC_BASE_URL"]}/v1`;
  const language = createAnthropic({ apiKey: KEY, baseURL })(model);
  return async (prompt) => {
    const { stream } = await language.doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: prompt }] }],
      maxOutputTokens: 8192,
    });
    for await (const _ of stream);
  };
}
