import type { Parameters } from "fast-check";

/**
 * How many cases a property tries, and from which seed. RETAKE_SEED repeats a run exactly, RETAKE_LONG
 * tries more; the seed is printed either way, and fast-check repeats it with the smallest failure.
 */
export function seeded<T>(name: string, cases: number, casesWhenLong: number): Parameters<T> {
  const seed = Number(process.env["RETAKE_SEED"] ?? Math.floor(Math.random() * 0x7fffffff));
  const numRuns = process.env["RETAKE_LONG"] ? casesWhenLong : cases;
  console.log(`${name}: seed ${seed}, ${numRuns} cases`);
  return { seed, numRuns };
}
