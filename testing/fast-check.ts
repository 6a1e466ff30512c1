/** fast-check with the seed of this run. Without it, each run would try other cases. */
import fc from "fast-check";
import { amount, SEED } from "./budget.ts";

fc.configureGlobal({ seed: SEED, ...cases(100) });

export default fc;

/** How many cases a property tries; in a long run a hundred times as many, unless it says otherwise. */
export function cases(short: number, long = short * 100): { readonly numRuns: number } {
  return { numRuns: amount("cases", short, long) };
}
