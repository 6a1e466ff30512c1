import type { Refusal } from "@retake/core";
import { snapshotsNamed } from "../snapshots/find-snapshots.ts";
import type { SnapshotRow } from "../store/snapshot-log.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { ambiguous, notFound } from "./not-found.ts";

/** A snapshot of this workspace by its id, of which the beginning is enough where no other begins so. */
export function findSnapshot(workspace: Workspace, name: string): SnapshotRow | Refusal {
  const found = snapshotsNamed(workspace, name);
  const exact = found.find(({ id }) => id === name);
  const [first, ...others] = found;
  if (exact || (first && others.length === 0)) return exact ?? (first as SnapshotRow);
  if (!first) return notFound("snapshot", name, "in this workspace");
  return ambiguous(
    "snapshot",
    name,
    found.slice(0, MOST_NEAR).map(({ id }) => id),
  );
}

const MOST_NEAR = 6;
