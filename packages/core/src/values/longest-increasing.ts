/** The positions of a longest ascending subsequence. Undefined values are left out. */
export function longestIncreasing(values: readonly (string | undefined)[]): Set<number> {
  /** `tails[n]`: the position of the smallest value that ends an ascending subsequence of length n + 1. */
  const tails: number[] = [];
  const previous = new Map<number, number | undefined>();
  values.forEach((value, index) => {
    if (value === undefined) return;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[tails[middle] as number] as string) < value) low = middle + 1;
      else high = middle;
    }
    previous.set(index, tails[low - 1]);
    tails[low] = index;
  });
  const run = new Set<number>();
  for (let at = tails.at(-1); at !== undefined; at = previous.get(at)) run.add(at);
  return run;
}
