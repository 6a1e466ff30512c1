import { describe, expect, test } from "vitest";
import { openModel } from "./open-model.ts";
import { findAccess, knownKeys } from "./provider-access.ts";

const config = { providers: { anthropic: { api_key: "from-config", base_url: "https://proxy.example/claude/" } } };

describe("a key and an address", () => {
  test("come from the environment, otherwise from the config", () => {
    expect(findAccess("anthropic", { environment: { ANTHROPIC_API_KEY: " mine\n" }, config })).toEqual({
      kind: "access",
      apiKey: "mine",
      baseURL: "https://proxy.example/claude",
    });
    expect(findAccess("anthropic", { environment: { ANTHROPIC_API_KEY: "" }, config })).toMatchObject({
      apiKey: "from-config",
    });
  });

  test.each([
    ["anthropic", "ANTHROPIC_BASE_URL", "http://localhost:1", "http://localhost:1/v1"],
    ["openai", "OPENAI_BASE_URL", "http://localhost:1/v1/", "http://localhost:1/v1"],
    ["google", "GOOGLE_GENERATIVE_AI_BASE_URL", "http://localhost:1", "http://localhost:1/v1beta"],
    ["deepseek", "DEEPSEEK_BASE_URL", "http://localhost:1", "http://localhost:1"],
    ["compatible", "RETAKE_BASE_URL", "http://localhost:11434", "http://localhost:11434/v1"],
  ] as const)("of %s: a host alone gets the path that its API has", (provider, name, url, baseURL) => {
    const keys = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k", DEEPSEEK_API_KEY: "k" };
    expect(findAccess(provider, { environment: { ...keys, [name]: url } })).toMatchObject({ kind: "access", baseURL });
  });
});

describe("[P3] refuses a model that cannot be called before anything begins, with advice", () => {
  test.each([
    ["anthropic/claude-opus-5", {}, "missing-key", "set ANTHROPIC_API_KEY, or api_key under [providers.anthropic]"],
    ["openai/gpt-5", { OPENAI_API_KEY: "  " }, "missing-key", "set OPENAI_API_KEY"],
    ["google/gemini-3-pro", {}, "missing-key", "set GOOGLE_GENERATIVE_AI_API_KEY"],
    ["deepseek/deepseek-chat", {}, "missing-key", "set DEEPSEEK_API_KEY"],
    ["compatible/qwen", {}, "invalid-base-url", "set RETAKE_BASE_URL"],
    ["compatible/qwen", { RETAKE_BASE_URL: "localhost" }, "invalid-base-url", "is no web address"],
    ["openai/gpt-5", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "file:///etc" }, "invalid-base-url", "is no web address"],
  ])("%s with %j", async (name, environment, code, words) => {
    const opened = await openModel(name, { environment });
    expect(opened).toMatchObject({ kind: "refused", code });
    expect(opened.kind === "refused" && opened.message).toContain(words);
    expect(opened.kind === "refused" && opened.message).toContain("nothing was changed");
  });

  test("an endpoint of the user's own needs no key", async () => {
    const opened = await openModel("compatible/qwen", { environment: { RETAKE_BASE_URL: "http://localhost:1" } });
    expect(opened).toMatchObject({ kind: "model", model: { name: "compatible/qwen" } });
  });
});

test("keys of the config have names that the redaction recognizes", () => {
  expect(knownKeys(config)).toEqual({ ANTHROPIC_API_KEY: "from-config" });
});
