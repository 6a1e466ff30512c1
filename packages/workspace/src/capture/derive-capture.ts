import type { Database } from "../database/database.ts";
import type { BytePath, CaptureId, Change } from "../model/model.ts";
import { encodeChanges } from "../model/state-codec.ts";
import { treeName } from "../model/tree-name.ts";
import { CaptureLog } from "./capture-log.ts";
import { byBytes } from "./capture-tree.ts";
import { Claims } from "./claims.ts";
import { counted } from "./count-changes.ts";

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
  const workspace = root === undefined ? undefined : log.workspaceId(Buffer.from(root, "latin1"));
  if (workspace !== undefined) new Claims(database, workspace).restored(changes);
  const ordered = [...changes].sort((a, b) => byBytes(a.path, b.path));
  const id = treeName(parent, counted(ordered, totals, new Map(), new Set()));
  const receipt = { ...totals, changed: changes.length, ignoredChanged: [], leftOutChanged: [], foundBy: "restore" };
  return log.add({
    id,
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
