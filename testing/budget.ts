/**
 * How much the tests do, from which seed, and how long they may take: decided here, and nowhere else.
 *
 * `npm test` does a little and always the same, so that a failure comes from the change and not from chance. `RETAKE_LONG=1`
 * does much more, from a seed that it picks. `RETAKE_SEED` names the seed of either; `RETAKE_STEPS` and the others (`Amount`)
 * say how much of one thing is done. e2e/README.md says which test knows which.
 */
const { env } = process;

export const LONG = !["", "0", undefined].includes(env["RETAKE_LONG"]);

/** The seed of tests that choose at random. A test that needs several counts up from it. */
export const SEED = Number(env["RETAKE_SEED"] ?? (LONG ? Math.floor(Math.random() * 1e9) : 42));

/**
 * The longest that one test or hook may take. Only a test that hangs meets it, however busy the machine is: alone, the longest
 * takes 20 seconds, and ten times as long where 20 processes compete for two cores. Within a test, a wait for one thing ends
 * after a third of it.
 */
export const TIMEOUT_MS = (LONG ? 240 : 5) * 60_000;

/**
 * The longest wait for one thing on a page, also in a long run: a press that is lost is known after minutes. With the time of a long
 * test it would be hours, which looks as if the test were slow.
 */
export const PAGE_WAIT_MS = 150_000;

export type Amount =
  | "cases"
  | "commands"
  | "entries"
  | "files"
  | "kills"
  | "points"
  | "requests"
  | "shrink"
  | "steps"
  | "walks";

/** How much of something is done: as `RETAKE_…` says, or else `short`, or `long` in a long run. */
export function amount(of: Amount, short: number, long: number): number {
  const given = env[`RETAKE_${of.toUpperCase()}`];
  return given === undefined ? (LONG ? long : short) : Number(given);
}

/** The seeds of `count` walks. */
export function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, index) => SEED + index);
}
