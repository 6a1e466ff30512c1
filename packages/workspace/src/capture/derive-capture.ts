import type { Database } from "../database/database.ts";
import type { BytePath, CaptureId, Change } from "../model/model.ts";
import { encodeChanges } from "../model/state-codec.ts";
import { treeName } from "../model/tree-name.ts";
import { CaptureLog } from "./capture-log.ts";
import { byBytes } from "./capture-tree.ts";
import { Claims } from "./claims.ts";

/**
 * Records a capture without a scan: the files that a restore will have made from `parent`. It is written in the
 * transaction of the restore's plan, so that the operation can name it. With `root`, these become the current files of
 * that workspace; without, they lie in no workspace.
 */
export function deriveCapture(
  database: Database,
  parent: CaptureId,
  changes: readonly Change[],
  root?: BytePath,
): CaptureId {
  if (changes.length === 0) return parent;
  const log = new CaptureLog(database);
  const { files, bytes, distance } = log.totals(parent);
  const totals = { files, bytes };
  for (const { before, after } of changes) {
    count(totals, before, -1);
    count(totals, after, 1);
  }
  const workspace = root === undefined ? undefined : log.workspaceId(Buffer.from(root, "latin1"));
  if (workspace !== undefined) new Claims(database, workspace).restored(changes);
  const ordered = [...changes].sort((a, b) => byBytes(a.path, b.path));
  const receipt = { ...totals, changed: changes.length, ignoredChanged: [], leftOutChanged: [], foundBy: "restore" };
  return log.add({
    id: treeName(parent, ordered),
    workspace,
    parent,
    createdAt: Date.now(),
    ...totals,
    changes: encodeChanges(ordered),
    distance: distance + changes.length,
    listing: undefined,
    receipt: JSON.stringify(receipt),
  });
}

function count(totals: { files: number; bytes: number }, state: Change["after"], sign: 1 | -1): void {
  if (state?.kind !== "file" && state?.kind !== "link") return;
  totals.files += sign;
  totals.bytes += sign * state.size;
}
