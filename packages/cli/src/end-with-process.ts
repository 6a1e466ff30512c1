import type { Signal, World } from "./world.ts";

/** The exit codes of a process that a signal ended, as shells have them. */
export const SIGNAL_EXITS: Readonly<Record<Signal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Calls `end` on SIGTERM or SIGHUP, then exits. Returns an unsubscribe function. */
export function endWithProcess(world: World, end: () => Promise<void>): () => void {
  const leave = (["SIGTERM", "SIGHUP"] as const).map((signal) =>
    world.onSignal(signal, () => {
      // At once: the command may come to its own end first.
      world.exitCode = SIGNAL_EXITS[signal];
      void end().finally(() => world.exit(SIGNAL_EXITS[signal]));
    }),
  );
  return () => {
    for (const each of leave) each();
  };
}
