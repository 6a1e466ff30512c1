/** Runs of a property: few enough for every commit, and many more when RETAKE_LONG=1 asks for a long search. */
export function numRuns(normal: number): number {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.["RETAKE_LONG"] === "1" ? normal * 50 : normal;
}
