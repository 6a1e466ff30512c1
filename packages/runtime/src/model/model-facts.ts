import type { Price } from "./cost.ts";

/** Facts about a model before it is called. A field is absent when nobody described the model. */
export interface ModelFacts {
  /** How many tokens it accepts, and how many it writes at most in one answer. */
  readonly context_window?: number;
  readonly max_output?: number;
  /** How many tokens it may think before an answer, where that is set by a budget. 0: it does not think. */
  readonly thinking_budget?: number;
  readonly price?: Price;
}

/** The user's configuration of models, by name. It overrides the built-in facts. */
export interface ConfiguredModels {
  readonly prices: Readonly<Record<string, Price>>;
  readonly context_windows: Readonly<Record<string, number>>;
  readonly output_limits: Readonly<Record<string, number>>;
  readonly thinking_budgets: Readonly<Record<string, number>>;
}

export function modelFacts(model: string, configured: ConfiguredModels): ModelFacts {
  const known = MODELS.find(([pattern]) => pattern.test(model))?.[1] ?? {};
  const set = {
    context_window: configured.context_windows[model],
    max_output: configured.output_limits[model],
    thinking_budget: configured.thinking_budgets[model],
    price: configured.prices[model],
  };
  return { ...known, ...Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) };
}

/**
 * How many tokens an answer may have: as many as the user set, or as the model writes at most, but never more than is
 * left of its window, because providers refuse such a request. `used` is the size of the conversation. Thinking comes on
 * top of the answer, so near the end of the window both share the room. Its budget is halved and not cut to fit: each
 * change of it costs the provider's cache.
 */
export function outputLimits(facts: ModelFacts, set: number, used: number): OutputLimits {
  const { max_output, context_window = Number.POSITIVE_INFINITY } = facts;
  const wanted = set > 0 ? set : Math.min(max_output ?? DEFAULT_OUTPUT, ENOUGH);
  const room = Math.max(context_window - used - RESERVE, LEAST);
  let thinking_budget = facts.thinking_budget ?? 0;
  while (thinking_budget > room / 2) thinking_budget = Math.floor(thinking_budget / 2);
  const limit = Math.min(wanted, max_output ?? wanted, room - thinking_budget);
  const max_tokens = Math.max(limit, Math.min(LEAST, wanted));
  return facts.thinking_budget === undefined ? { max_tokens } : { max_tokens, thinking_budget };
}

export interface OutputLimits {
  readonly max_tokens: number;
  readonly thinking_budget?: number;
}

/** For models that nobody described: every known one can write this much. */
const DEFAULT_OUTPUT = 8192;
/** Providers count an announced output against rate limits, so more than any answer needs is not announced. */
const ENOUGH = 32_000;
/** Room for messages added since the last count. */
const RESERVE = 4096;
const LEAST = 1024;

function claude(input: number, output: number, max_output: number, thinking_budget?: number): ModelFacts {
  const price = claudePrice(input, output);
  return { context_window: 200_000, max_output, price, ...(thinking_budget === undefined ? {} : { thinking_budget }) };
}

/** Claude since 4.6: a million tokens, and no budget, because it decides itself how much to think. */
function largeClaude(input: number, output: number): ModelFacts {
  return { ...LARGE_CLAUDE, price: claudePrice(input, output) };
}

const LARGE_CLAUDE: ModelFacts = { context_window: 1_000_000, max_output: 128_000 };

/** Reading a cache costs a tenth, writing it a quarter more. */
function claudePrice(input: number, output: number): Price {
  return { input, output, cache_read: input / 10, cache_write: input * 1.25 };
}

function priced(
  window: number,
  max_output: number,
  [input, output, cache_read]: readonly [number, number, number],
): ModelFacts {
  return { context_window: window, max_output, price: { input, output, cache_read } };
}

/**
 * Limits, and prices in dollars for a million tokens. The first match counts. A newer model of a family has its family's
 * limits, and no price until it is written here or configured.
 *
 * Checked in November 2026: Claude from 4.5 on and `gpt-5-codex` with their makers' pages; the other models of OpenAI and
 * Gemini 3 with lists by others that agree; DeepSeek with a list of December 2025. Not checked again since November 2025:
 * older Claude, `gpt-4`, `o3`, `o4` and Gemini 2. Where a maker charges more for long prompts, the price is that of short ones.
 */
const MODELS: readonly (readonly [RegExp, ModelFacts])[] = [
  [/^anthropic\/claude-fable-5-1/, largeClaude(10, 50)],
  [/^anthropic\/claude-opus-5-5/, largeClaude(4, 20)],
  [/^anthropic\/claude-opus-(?:5|4-6)(?!-\d(?:-|$))/, largeClaude(5, 25)],
  [/^anthropic\/claude-sonnet-5-5/, largeClaude(2, 10)],
  [/^anthropic\/claude-sonnet-4-6/, largeClaude(3, 15)],
  [/^anthropic\/claude-(?:fable|[a-z]+-(?:5|4-[6-9]))/, LARGE_CLAUDE],
  [/^anthropic\/claude-opus-4-5/, claude(5, 25, 64_000, 16_000)],
  [/^anthropic\/claude-opus-4/, claude(15, 75, 32_000, 16_000)],
  [/^anthropic\/claude-(?:sonnet-4|3-7-sonnet)/, claude(3, 15, 64_000, 16_000)],
  [/^anthropic\/claude-haiku-4/, claude(1, 5, 64_000, 16_000)],
  [/^anthropic\/claude-3-5-sonnet/, claude(3, 15, 8192)],
  [/^anthropic\/claude-3-5-haiku/, claude(0.8, 4, 8192)],
  [/^anthropic\/claude-3/, { context_window: 200_000, max_output: 4096 }],
  [/^anthropic\/claude-/, { context_window: 200_000, max_output: 64_000 }],
  [/^openai\/gpt-5(?:\.1)?-nano/, priced(400_000, 128_000, [0.05, 0.4, 0.005])],
  [/^openai\/gpt-5(?:\.1)?-mini/, priced(400_000, 128_000, [0.25, 2, 0.025])],
  [/^openai\/gpt-5(?:\.1)?(?!-pro)(?:-|$)/, priced(400_000, 128_000, [1.25, 10, 0.125])],
  [/^openai\/gpt-5\.2$/, priced(400_000, 128_000, [1.75, 14, 0.175])],
  [/^openai\/gpt-5\.4$/, priced(1_050_000, 128_000, [2.5, 15, 0.25])],
  [/^openai\/gpt-5\.5$/, priced(1_050_000, 128_000, [5, 30, 0.5])],
  [/^openai\/gpt-5/, { context_window: 400_000, max_output: 128_000 }],
  [/^openai\/gpt-4\.1-nano/, priced(1_047_576, 32_768, [0.1, 0.4, 0.025])],
  [/^openai\/gpt-4\.1-mini/, priced(1_047_576, 32_768, [0.4, 1.6, 0.1])],
  [/^openai\/gpt-4\.1/, priced(1_047_576, 32_768, [2, 8, 0.5])],
  [/^openai\/gpt-4o-mini/, priced(128_000, 16_384, [0.15, 0.6, 0.075])],
  [/^openai\/gpt-4o/, priced(128_000, 16_384, [2.5, 10, 1.25])],
  [/^openai\/o3(?!-)/, priced(200_000, 100_000, [2, 8, 0.5])],
  [/^openai\/o4-mini/, priced(200_000, 100_000, [1.1, 4.4, 0.275])],
  [/^openai\/o\d/, { context_window: 200_000, max_output: 100_000 }],
  [/^google\/gemini-3-pro/, priced(1_048_576, 65_536, [2, 12, 0.2])],
  [/^google\/gemini-2\.5-pro/, priced(1_048_576, 65_536, [1.25, 10, 0.125])],
  [/^google\/gemini-2\.5-flash-lite/, priced(1_048_576, 65_536, [0.1, 0.4, 0.01])],
  [/^google\/gemini-2\.5-flash/, priced(1_048_576, 65_536, [0.3, 2.5, 0.03])],
  [/^google\/gemini-2\.0/, { context_window: 1_048_576, max_output: 8192 }],
  [/^google\/gemini-/, { context_window: 1_048_576, max_output: 65_536 }],
  [/^deepseek\/deepseek-chat/, priced(128_000, 8192, [0.28, 0.42, 0.028])],
  [/^deepseek\/deepseek-reasoner/, priced(128_000, 64_000, [0.28, 0.42, 0.028])],
  [/^deepseek\//, { context_window: 128_000, max_output: 8192 }],
];
