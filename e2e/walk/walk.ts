import { CliWalker } from "./cli-walker.ts";
import { STEPS } from "./steps.ts";

export type Choice = readonly [step: number, thread: number, a: number, b: number];

/** The same steps for the same seed, on any machine. */
export function choices(seed: number, count: number): Choice[] {
  let state = seed >>> 0;
  const next = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return Array.from({ length: count }, () => [next(STEPS.length), next(997), next(997), next(997)] as const);
}

/** Walks, and throws where the command line and the model do not agree, with the commands that led there. */
export async function walk(steps: readonly Choice[]): Promise<CliWalker["counts"]> {
  const walker = new CliWalker();
  try {
    await walker.begin();
    for (const [which, pick, a, b] of steps) {
      const [name, step] = STEPS[which] as (typeof STEPS)[number];
      const thread = walker.thread(pick);
      walker.log.push(`# ${name} ${a} ${b}`);
      await step(walker, thread, a, b);
      walker.counts.steps += 1;
      const deleted = thread.model.threadFacts.get("thread")?.["deleted"] === true;
      await walker.check(deleted ? walker.thread(pick) : thread);
    }
    for (const thread of walker.threads) await walker.check(thread);
    return walker.counts;
  } catch (error) {
    throw new WalkError(walker.counts.steps, walker.log, error as Error);
  } finally {
    walker.place.remove();
  }
}

export class WalkError extends Error {
  /** How many steps went well before. */
  readonly steps: number;

  constructor(steps: number, log: readonly string[], cause: Error) {
    super(`${log.join("\n")}\n\nafter ${steps} steps: ${cause.stack ?? cause.message}`, { cause });
    this.steps = steps;
  }
}

/** The failing steps without those that the failure does not need, as far as a number of tries goes. */
export async function shrink(steps: readonly Choice[], failed: WalkError, tries: number): Promise<WalkError> {
  let smallest = failed;
  let needed = steps.slice(0, failed.steps + 1);
  let left = tries;
  for (let size = needed.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < needed.length && left > 0; ) {
      const fewer = needed.toSpliced(at, size);
      left -= 1;
      const error = await walk(fewer).then(
        () => undefined,
        (thrown: unknown) => thrown as WalkError,
      );
      if (error && reason(error) === reason(failed)) {
        smallest = error;
        needed = fewer.slice(0, error.steps + 1);
      } else at += size;
    }
  }
  return smallest;
}

/** The error message, without the names that differ from walk to walk. */
function reason({ cause }: WalkError): string {
  return ((cause as Error).message.split("\n")[0] ?? "").replaceAll(/[0-9a-f-]{8,}|\d+/g, "");
}
