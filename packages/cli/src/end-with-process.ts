const EXITS = { SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Ends something that goes on elsewhere when this process is told to end, as what goes on here would end. Answers how to
 * let go of it.
 */
export function endWithProcess(end: () => Promise<void>): () => void {
  const listener = (signal: NodeJS.Signals) => {
    // At once: the command may come to its own end first.
    process.exitCode = EXITS[signal as keyof typeof EXITS];
    void end().finally(() => process.exit());
  };
  for (const signal of Object.keys(EXITS)) process.on(signal, listener);
  return () => {
    for (const signal of Object.keys(EXITS)) process.removeListener(signal, listener);
  };
}
