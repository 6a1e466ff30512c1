/** Measures side by side: every figure is a ratio within one run, and its bar is a bound on that ratio. */

export interface Row {
  readonly what: string;
  /**
   * The measured value and the one to compare with, in milliseconds unless `unit` is given. Infinite: did not finish.
   */
  readonly ours: number;
  readonly other: number;
  readonly unit?: string;
  /** The ratio ours / other must be at most this. */
  readonly atMost: number;
}

/** The medians of two pieces of work that take turns, so that noise of the machine meets both alike. */
export async function sideBySide(times: number, ours: Work, other: Work): Promise<{ ours: number; other: number }> {
  const samples: { ours: number[]; other: number[] } = { ours: [], other: [] };
  for (let index = 0; index < times; index += 1) {
    samples.ours.push(await timed(ours));
    samples.other.push(await timed(other));
  }
  return { ours: middle(samples.ours), other: middle(samples.other) };
}

/** `prepare` and `settle` are not timed: work that continues afterwards must not disturb the other side. */
export interface Work {
  readonly prepare?: () => unknown;
  readonly work: () => unknown;
  readonly settle?: () => unknown;
}

async function timed({ prepare, work, settle }: Work): Promise<number> {
  await prepare?.();
  const started = performance.now();
  const result = work();
  // Work that is not asynchronous is not made so.
  if (result instanceof Promise) await result;
  const took = performance.now() - started;
  await settle?.();
  return took;
}

/** Prints the rows as a table; the process fails when a bar is missed. */
export function report(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  for (const { what, ours, other, atMost, unit = "ms" } of rows) {
    const ratio = ours / other;
    const missed = !(ratio <= atMost);
    if (missed) process.exitCode = 1;
    const figures = Number.isFinite(ours)
      ? `${shown(ours)} / ${shown(other)} ${unit}`
      : `did not finish / ${shown(other)} ${unit}`;
    console.log(
      `  ${missed ? "MISSED" : "ok    "} ${what.padEnd(64)} ${figures.padStart(27)}  ratio ${shown(ratio)} (bar ${atMost})`,
    );
  }
}

/** The sample that so large a part of them does not exceed. */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
}

function middle(samples: number[]): number {
  samples.sort((a, b) => a - b);
  return samples[samples.length >>> 1] ?? Number.NaN;
}

function shown(number: number): string {
  return number >= 100 ? number.toFixed(0) : number >= 1 ? number.toFixed(2) : number.toPrecision(2);
}
