import type { LanguageModelV4 } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { sdkModel } from "./sdk-model.ts";
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
