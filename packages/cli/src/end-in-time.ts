import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { World } from "./world.ts";

/** The time to end cleanly, and the time when the process is killed: within two seconds of the signal. */
const PATIENCE_MS = 1500;
const LAST_MS = 1800;

/**
 * Runs `close`, and ends the process if that takes too long: the store is whole at every moment, and the next work in
 * the workspace finishes a turn or a restore that was cut off. A thread watches, because this one may be busy.
 */
export async function endInTime(world: World, close: () => Promise<void>): Promise<void> {
  const watchdog = new Worker(`setTimeout(() => process.kill(${process.pid}, "SIGKILL"), ${LAST_MS})`, { eval: true });
  const closed = close().then(() => true);
  const done = await Promise.race([closed, wait(PATIENCE_MS, false, { ref: false })]);
  if (!done) world.exit(0);
  await watchdog.terminate();
}
