import { createContext, Script } from "node:vm";

/**
 * Runs `work` for at most so long: a regular expression that explodes cannot be stopped from
 * within, but V8 stops it for a script that has a time limit. Starting one takes most of a
 * millisecond, so give it work in large pieces.
 */
export function runBounded(work: () => void, milliseconds: number): "done" | "too-long" {
  const context = createContext({ work });
  try {
    script.runInContext(context, { timeout: milliseconds });
    return "done";
  } catch (error) {
    if (isTimeout(error)) return "too-long";
    throw error;
  }
}

const script = new Script("work()");

/** It is made in the script's own world, whose `Error` is not ours. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
