/**
 * How many runs a property gets. In CI few and always the same, so that a failure is one of the change;
 * with RETAKE_LONG=1 many, from a seed that a failure prints and RETAKE_SEED repeats.
 */
export function walkRuns(few: number): { numRuns: number; seed?: number } {
  const { RETAKE_LONG: long, RETAKE_SEED: seed } = process.env;
  if (!long) return { numRuns: few, seed: Number(seed ?? 42) };
  return { numRuns: few * 100, ...(seed ? { seed: Number(seed) } : {}) };
}
