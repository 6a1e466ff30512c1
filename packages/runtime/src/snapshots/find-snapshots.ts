import type { SnapshotRow } from "../store/snapshot-log.ts";
import type { Workspace } from "../workspace/open-workspace.ts";

/** P4: how many are listed by default, and at most. */
export const SNAPSHOTS_LISTED = 20;
const MOST_SNAPSHOTS = 100;

/** The snapshots of this workspace, newest first; with `thread`, only those of that thread. */
export function listSnapshots(
  workspace: Workspace,
  options: { readonly thread?: string | undefined; readonly limit?: number | undefined } = {},
): SnapshotRow[] {
  const { thread, limit = SNAPSHOTS_LISTED } = options;
  const most = Math.min(limit, MOST_SNAPSHOTS);
  const found = workspace.store.snapshotLogs().flatMap((log) => log.list(workspace.root, { thread, limit: most }));
  return found.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1)).slice(0, most);
}

/**
 * The snapshots of this workspace that an id, or its beginning, could mean (the `S-` may be left out), else those that a
 * user labelled so. Snapshots of other workspaces are never found: their files do not belong here.
 */
export function snapshotsNamed(workspace: Workspace, name: string): SnapshotRow[] {
  const beginning = name.startsWith("S-") ? name : `S-${name}`;
  const logs = workspace.store.snapshotLogs();
  const found = logs.flatMap((log) => log.named(workspace.root, beginning));
  return found.length > 0 ? found : logs.flatMap((log) => log.labelled(workspace.root, name));
}
