/** How a command ended. */
export interface CommandEnd {
  readonly reason: "done" | "timeout" | "aborted";
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It could not be started. */
  readonly error?: Error;
  /** Why not all of its output was kept. */
  readonly unkept: Error | undefined;
  /** The processes that it left, which were ended with it. */
  readonly background: number;
  /** The counters of its network, of a confined command that failed. */
  readonly network: string;
}
