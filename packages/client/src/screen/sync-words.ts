/** The state of sync as events and the status of a workspace have it. */
export interface SyncSummary {
  readonly state: "off" | "linking" | "synced" | "pending" | "stopped";
  readonly pending: number;
  readonly problem?: string | undefined;
}

/** The state of sync for a status line; empty where this machine does not sync. */
export function syncWords({ state, pending, problem }: SyncSummary): string {
  if (state === "off") return "";
  if (state === "linking") return "sync: waits to be linked";
  if (state === "stopped") return "sync stopped";
  // Also with nothing to send: the server may have something for this machine.
  if (problem !== undefined) return `sync waits${pending > 0 ? `, ${pending} to send` : ""}`;
  return state === "synced" ? "synced" : "syncing";
}

const HEADS = {
  synced: "All threads are synced with",
  pending: "Syncing with",
  stopped: "Stopped syncing with",
} as const;

/** The state of sync before the address of the server. One that cannot be asked may have something for this machine. */
export function syncHead(state: keyof typeof HEADS, hasProblem: boolean): string {
  return state === "synced" && hasProblem ? "Nothing waits to be sent to" : HEADS[state];
}
