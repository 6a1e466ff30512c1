import { describe, expect, test } from "vitest";
import { modelFacts, outputLimits } from "./model-facts.ts";

const NOTHING = { prices: {}, context_windows: {}, output_limits: {}, thinking_budgets: {} };

describe("what is known about models", () => {
  test.each([
    ["anthropic/claude-sonnet-4-5-20250929", 200_000, 64_000, 3],
    ["anthropic/claude-opus-4-5", 200_000, 64_000, 5],
    ["anthropic/claude-opus-4-1", 200_000, 32_000, 15],
    ["anthropic/claude-opus-4-6", 1_000_000, 128_000, 5],
    ["anthropic/claude-opus-4-7", 1_000_000, 128_000, undefined],
    ["anthropic/claude-opus-5", 1_000_000, 128_000, 5],
    ["anthropic/claude-opus-5-5", 1_000_000, 128_000, 4],
    ["anthropic/claude-sonnet-5", 1_000_000, 128_000, undefined],
    ["anthropic/claude-sonnet-5-5", 1_000_000, 128_000, 2],
    ["anthropic/claude-haiku-5-5", 1_000_000, 128_000, undefined],
    ["anthropic/claude-opus-9", 200_000, 64_000, undefined],
    ["openai/gpt-5", 400_000, 128_000, 1.25],
    ["openai/gpt-5-mini", 400_000, 128_000, 0.25],
    ["openai/gpt-5-pro", 400_000, 128_000, undefined],
    ["openai/gpt-5.1", 400_000, 128_000, 1.25],
    ["openai/gpt-5.4", 1_050_000, 128_000, 2.5],
    ["openai/gpt-5.5-pro", 400_000, 128_000, undefined],
    ["openai/gpt-4.1-nano-2025-04-14", 1_047_576, 32_768, 0.1],
    ["google/gemini-2.5-flash", 1_048_576, 65_536, 0.3],
    ["deepseek/deepseek-chat", 128_000, 8192, 0.28],
    ["compatible/qwen3", undefined, undefined, undefined],
  ])("%s has its window, its output limit and its price", (model, window, output, input) => {
    const facts = modelFacts(model, NOTHING);
    expect([facts.context_window, facts.max_output, facts.price?.input]).toEqual([window, output, input]);
  });

  test("[P3] the configuration comes first, value by value", () => {
    const configured = {
      ...NOTHING,
      context_windows: { "openai/gpt-5": 10 },
      prices: { "openai/gpt-5": { input: 7 } },
      output_limits: { "compatible/qwen3": 2000 },
      thinking_budgets: { "anthropic/claude-sonnet-4-5": 0 },
    };
    expect(modelFacts("openai/gpt-5", configured)).toEqual({
      context_window: 10,
      max_output: 128_000,
      price: { input: 7 },
    });
    expect(modelFacts("compatible/qwen3", configured)).toEqual({ max_output: 2000 });
    expect(modelFacts("anthropic/claude-sonnet-4-5", configured).thinking_budget).toBe(0);
  });
});

describe("the output limit of a request", () => {
  const facts = { context_window: 200_000, max_output: 64_000 };
  test.each([
    ["enough for any answer, where nothing is set", facts, 0, 0, 32_000],
    ["the model's own, where that is less", { max_output: 4096 }, 0, 0, 4096],
    ["8,192 for an unknown model", {}, 0, 0, 8192],
    ["the user's", facts, 100, 0, 100],
    ["never more than the model writes", facts, 1_000_000, 0, 64_000],
    ["never more than is left of the window", facts, 0, 180_000, 15_904],
    ["at least a little, in a window that is full", facts, 0, 199_000, 1024],
    ["the user's little, in a window that is full", facts, 100, 199_000, 100],
  ])("is %s", (_, known, set, used, limit) => {
    expect(outputLimits(known, set, used)).toEqual({ max_tokens: limit });
  });

  test("leaves room for the thinking budget, which is sent on top of it", () => {
    const thinking = { ...facts, thinking_budget: 16_000 };
    const limits = (used: number) => outputLimits(thinking, 0, used);
    expect(limits(0)).toEqual({ max_tokens: 32_000, thinking_budget: 16_000 });
    expect(limits(155_000)).toEqual({ max_tokens: 24_904, thinking_budget: 16_000 });
    expect(limits(175_000)).toEqual({ max_tokens: 12_904, thinking_budget: 8000 });
    for (let used = 0; used < 194_000; used += 500) {
      const { max_tokens, thinking_budget = 0 } = limits(used);
      expect(used + max_tokens + thinking_budget).toBeLessThanOrEqual(200_000);
      expect(thinking_budget).toBeGreaterThan(0);
    }
    expect(outputLimits({ ...facts, thinking_budget: 0 }, 0, 0)).toEqual({ max_tokens: 32_000, thinking_budget: 0 });
  });
});
