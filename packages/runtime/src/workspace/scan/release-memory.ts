import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Gives back what a first capture leaves behind. A worker thread is never told that it is idle, so
 * V8 would keep the garbage of reading every file until the next one needs the space.
 */
export function releaseMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
