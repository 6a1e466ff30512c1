import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { type ModelPart, sendableToolName } from "@retake/core";
import { AnswerReader } from "./answer-reader.ts";
import type { Dialect } from "./dialect.ts";
import type { Model, ModelEnd, ModelRequest } from "./model.ts";
import type { Access } from "./provider-access.ts";
import { failed, providerError } from "./provider-error.ts";
import { LEAST_SECRET, REDACTED } from "./redact-secrets.ts";
import { sdkPrompt } from "./sdk-prompt.ts";

export interface Provider {
  readonly language: LanguageModelV4;
  readonly dialect: Dialect;
}

export type OpenProvider = (model: string, access: Access & { readonly fetch: typeof fetch }) => Provider;

/**
 * A model of a provider, through the AI SDK's own interface to providers (`doStream`) and nothing above it: the agent
 * handles retries, tools and steps, and exactly the projection is sent. `secret` is removed from every message.
 */
export function sdkModel(name: string, { language, dialect }: Provider, secret: string): Model {
  return {
    name,
    async *stream(request) {
      for await (const part of answer(request, language, dialect)) {
        yield part.kind === "failed" ? { ...part, message: withoutSecret(part.message, secret) } : part;
      }
    },
  };
}

async function* answer(
  request: ModelRequest,
  language: LanguageModelV4,
  dialect: Dialect,
): AsyncGenerator<ModelPart | ModelEnd> {
  const names = new Map(request.tools.map((tool) => [sendableToolName(tool.name), tool.name]));
  const reader = new AnswerReader(dialect, (offered) => names.get(offered) ?? offered);
  try {
    const stream = await begin(request, language, dialect);
    // Leaving the loop cancels the stream, and with it the open `fetch`.
    for await (const part of stream) {
      if (request.signal.aborted) return;
      yield* reader.read(part);
      if (reader.end) break;
    }
    yield reader.end ?? failed("network", `The connection to ${dialect.label} ended in the middle of the answer.`);
  } catch (error) {
    if (!request.signal.aborted) yield providerError(error, dialect.label, Date.now());
  }
}

async function begin(request: ModelRequest, language: LanguageModelV4, dialect: Dialect) {
  try {
    return (await language.doStream(callOptions(request, dialect))).stream;
  } catch (error) {
    const { code, message } = providerError(error, dialect.label, Date.now());
    if (code !== "invalid-request" || !dialect.adapts?.(message)) throw error;
    return (await language.doStream(callOptions(request, dialect))).stream;
  }
}

function callOptions(request: ModelRequest, dialect: Dialect): LanguageModelV4CallOptions {
  const { tools, temperature, top_p, max_tokens, signal } = request;
  return {
    prompt: sdkPrompt(request, dialect),
    tools: tools.map(({ name, description, input }) => ({
      type: "function",
      name: sendableToolName(name),
      description,
      inputSchema: input,
    })),
    maxOutputTokens: max_tokens,
    temperature,
    // 1 means the same as omitting it, and some providers refuse both together.
    ...(top_p < 1 ? { topP: top_p } : {}),
    abortSignal: signal,
    ...dialect.callOptions?.(request),
  };
}

function withoutSecret(text: string, secret: string): string {
  return secret.length < LEAST_SECRET ? text : text.replaceAll(secret, REDACTED);
}
