import { type SnapshotRow, snapshotsNamed } from "@retake/runtime";
import { type Call, wrongUsage } from "./command.ts";
import { onlyOne } from "./only-one.ts";

/** A snapshot of this workspace, of which the beginning of its id may be given. */
export function findSnapshot({ workspace }: Call, name: string | undefined): SnapshotRow {
  if (name === undefined || name === "") throw wrongUsage("Name a snapshot by its id. retake snapshots lists them.");
  return onlyOne(SNAPSHOT, name, snapshotsNamed(workspace, name), ({ id }) => id);
}

const SNAPSHOT = { one: "a snapshot", noun: "snapshot", many: "snapshots", list: "retake snapshots" };
