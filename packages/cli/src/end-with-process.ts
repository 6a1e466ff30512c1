import type { World } from "./world.ts";

const EXITS = { SIGTERM: 143, SIGHUP: 129 } as const;

/** Calls `end` on SIGTERM or SIGHUP, then exits. Returns an unsubscribe function. */
export function endWithProcess(world: World, end: () => Promise<void>): () => void {
  const leave = (["SIGTERM", "SIGHUP"] as const).map((signal) =>
    world.onSignal(signal, () => {
      // At once: the command may come to its own end first.
      world.exitCode = EXITS[signal];
      void end().finally(() => world.exit(EXITS[signal]));
    }),
  );
  return () => {
    for (const each of leave) each();
  };
}
