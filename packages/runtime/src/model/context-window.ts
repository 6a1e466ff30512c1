/** How many tokens a model accepts, according to its maker; undefined when unknown. The configuration comes first. */
export function contextWindow(model: string, configured: Readonly<Record<string, number>>): number | undefined {
  return configured[model] ?? WINDOWS.find(([pattern]) => pattern.test(model))?.[1];
}

/** The first match counts. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^anthropic\/claude-/, 200_000],
  [/^openai\/gpt-4\.1/, 1_047_576],
  [/^openai\/gpt-4o/, 128_000],
  [/^openai\/gpt-5/, 400_000],
  [/^openai\/o\d/, 200_000],
  [/^google\/gemini-/, 1_048_576],
  [/^deepseek\//, 128_000],
];
