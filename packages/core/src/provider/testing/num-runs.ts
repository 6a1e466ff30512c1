const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
const long = process?.env?.["RETAKE_LONG"] === "1";

/** Runs of a property: few enough for every commit, and many more when RETAKE_LONG=1 asks for a long search. */
export function numRuns(normal: number): number {
  return long ? normal * 100 : normal;
}

/** How long such a property may take, in milliseconds. */
export const PATIENCE = long ? 1_800_000 : 60_000;
