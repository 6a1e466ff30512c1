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
  if (state === "synced") return "synced";
  return problem === undefined ? "syncing" : `sync waits${pending > 0 ? `, ${pending} to send` : ""}`;
}
