import type { SnapshotRow } from "../store/snapshot-log.ts";
import type { Workspace } from "../workspace/open-workspace.ts";

/** P4: as many as are listed unless a number is given, and at most. */
export const SNAPSHOTS_LISTED = 20;
export const MOST_SNAPSHOTS = 100;

/** The snapshots of this workspace, newest first; of one thread where one is named. */
export function listSnapshots(
  workspace: Workspace,
  options: { readonly thread?: string | undefined; readonly limit?: number } = {},
): SnapshotRow[] {
  const { thread, limit = SNAPSHOTS_LISTED } = options;
  const most = Math.min(limit, MOST_SNAPSHOTS);
  const found = workspace.store.snapshotLogs().flatMap((log) => log.list(workspace.root, { thread, limit: most }));
  return found.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1)).slice(0, most);
}

/**
 * Those of this workspace that an id, or the beginning of one, could mean; the `S-` may be left out.
 * Another workspace's are never found: its files have no business here.
 */
export function snapshotsNamed(workspace: Workspace, name: string): SnapshotRow[] {
  const beginning = name.startsWith("S-") ? name : `S-${name}`;
  return workspace.store.snapshotLogs().flatMap((log) => log.named(workspace.root, beginning));
}
