import type { LanguageModelV4 } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { openAnthropic } from "./providers/anthropic.ts";
import { sdkModel } from "./sdk-model.ts";
import { event } from "./testing/answer-script.ts";
import { request } from "./testing/request.ts";

test.each([
  ["a-key-of-some-length", "[redacted] of none is asked"],
  ["none", "a-key-of-some-length of none is asked"],
  ["k", "a-key-of-some-length of none is asked"],
])("[S8] no failure shows a key, and a word in place of a key (%j) makes no failure unreadable", async (key, words) => {
  expect.assertions(1);
  const doStream = () => Promise.reject(new Error("a-key-of-some-length of none is asked"));
  const language = { doStream } as unknown as LanguageModelV4;
  const model = sdkModel("compatible/m", { language, dialect: { label: "The endpoint", images: false } }, key);
  const message = expect.stringContaining(words);
  for await (const part of model.stream(request([]))) expect(part).toMatchObject({ kind: "failed", message });
});

test("[AG40] ignores events of kinds that Anthropic adds, and no other event that cannot be read", async () => {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const begin = { type: "message_start", message: { id: "m", role: "assistant", content: [], model: "m", usage } };
  const end = [
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  const said = async (...between: readonly { readonly type: string }[]) => {
    const body = [begin, ...between, ...end].map((each) => event(each, each.type)).join("");
    const fetch = () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
    const provider = openAnthropic("claude-opus-5", { apiKey: "k", baseURL: "http://x/v1", fetch });
    let last: unknown;
    for await (const part of sdkModel("anthropic/m", provider, "k").stream(request([]))) last = part;
    return last;
  };
  expect(await said({ type: "a_new_kind" })).toMatchObject({ kind: "responded", stop: "end" });
  expect(await said({ type: "content_block_delta" })).toMatchObject({ kind: "failed", code: "server" });
});
