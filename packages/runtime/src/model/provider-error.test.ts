import { APICallError, JSONParseError } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { providerError } from "./provider-error.ts";
import { StalledError } from "./watched-fetch.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

function refusal(statusCode: number, message: string, data: unknown = {}) {
  return new APICallError({ message, url: "http://x", requestBodyValues: {}, statusCode, data, responseHeaders: {} });
}

test.each([
  [400, "context-overflow", "prompt is too long: 210000 tokens > 200000 maximum"],
  [400, "context-overflow", "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"],
  [400, "context-overflow", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."],
  [400, "context-overflow", "the request exceeds the available context size, try increasing it"],
  [413, "context-overflow", "Request exceeds the maximum size"],
  [400, "invalid-key", "API key not valid. Please pass a valid API key."],
  [403, "invalid-key", "Forbidden"],
  [400, "out-of-credit", "Your credit balance is too low to access the API."],
  [402, "out-of-credit", "Insufficient Balance"],
  [429, "rate-limited", "Slow down"],
  [404, "unknown-model", "The model `gpt-9` does not exist or you do not have access to it."],
  [400, "unknown-model", 'model "qwen9" not found, try pulling it first'],
  [400, "refused", "Your request was rejected as a result of our safety system."],
  [503, "overloaded", "The model is overloaded. Please try again later."],
  [529, "overloaded", "Overloaded"],
  [500, "server", "Internal"],
  [502, "server", "Bad Gateway"],
  [408, "server", "Timeout"],
  [400, "invalid-signature", "messages.1.content.0: Invalid `signature` in `thinking` block"],
  [400, "invalid-signature", "messages.1.content.0: Invalid `data` in `redacted_thinking` block"],
  [400, "invalid-signature", "The encrypted content gAAA for item rs_1 could not be verified."],
  [400, "invalid-signature", "Thought signature is not valid."],
  [
    400,
    "invalid-image",
    "image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
  ],
  [
    400,
    "invalid-image",
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes",
  ],
  [400, "invalid-image", "Could not process image"],
  [400, "invalid-image", "Unable to process input image. Please retry or report."],
  [400, "invalid-image", "You uploaded an unsupported image. Please make sure your image is valid."],
  [500, "invalid-image", "image input is not supported - hint: you may need to provide the mmproj"],
  [400, "invalid-image", "This model does not support images."],
  [400, "invalid-request", "messages: something is wrong with them."],
  [422, "invalid-request", "Unprocessable"],
])("[AG40] %i is %s: %s", (status, code, message) => {
  expect(providerError(refusal(status, message), "Anyone", now)).toMatchObject({ kind: "failed", code });
});

const QUOTA = "You exceeded your current quota, please check your plan and billing details.";

test("[AG40] no credit is left where OpenAI says so by its code", () => {
  const error = { message: QUOTA, type: "insufficient_quota", code: "insufficient_quota" };
  expect(providerError(refusal(429, QUOTA, { error }), "OpenAI", now)).toMatchObject({ code: "out-of-credit" });
});

test("[AG40] [AG41] Google's limit for a minute is waited for, though it speaks of the plan and billing", () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "26s" }];
  const error = { code: 429, message: QUOTA, status: "RESOURCE_EXHAUSTED", details };
  const { code, retry_after_ms } = providerError(refusal(429, QUOTA, { error }), "Google", now);
  expect({ code, retry_after_ms }).toEqual({ code: "rate-limited", retry_after_ms: 26_000 });
});

test.each([
  ["network", new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })],
  ["network", refusal(200, "Failed to process successful response", { cause: "terminated" })],
  ["stalled", new Error("wrapped", { cause: new StalledError(1000) })],
  ["server", new JSONParseError({ text: "{", cause: new Error("bad") })],
  ["server", { message: "failed", type: "api_error", statusCode: 500 }],
  ["overloaded", { message: "Overloaded", type: "overloaded_error" }],
  ["server", "something"],
] as const)("[AG40] without a status it goes by its looks: %s", (code, error) => {
  expect(providerError(error, "Anyone", now)).toMatchObject({ code });
});

test("[F70] says a reason once, however often the provider does", () => {
  const { message } = providerError(refusal(500, "api_error", { error: { type: "api_error" } }), "Anthropic", now);
  expect(message).toBe("Anthropic failed to answer. (500: api_error)");
});

test("shortens a provider's message to one line, with its origin", () => {
  const { message } = providerError(refusal(400, `no\n${"x".repeat(2000)}`), "OpenAI", now);
  expect(message).toMatch(/^OpenAI does not accept the request\. \(400: no x/);
  expect(message.length).toBeLessThan(600);
});
