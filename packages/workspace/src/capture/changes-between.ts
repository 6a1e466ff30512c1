import type { Database } from "../database/database.ts";
import type { BytePath, CaptureId, Change } from "../model/model.ts";
import { decodeChanges, type RecordedState, sameState } from "../model/state-codec.ts";
import { CaptureLog } from "./capture-log.ts";
import { byBytes, type CaptureTree, readCapture } from "./capture-tree.ts";

/**
 * The differences between two captures, in byte order. Follows both back to their common ancestor, so the cost depends
 * on the changes in between and not on the size of the workspace.
 *
 * A side is `uncovered` when the path was on disk but left out: its content is not known.
 */
export function changesBetween(database: Database, from: CaptureId, to: CaptureId): readonly Change[] {
  if (from === to) return [];
  const log = new CaptureLog(database);
  const back: Change[][] = [];
  const forth: Change[][] = [];
  let left = log.link(from);
  let right = log.link(to);
  // A capture's row comes after its parent's, so the later one cannot be the common one.
  while (left.id !== right.id) {
    const later = left.row > right.row ? left : right;
    if (later.parent === undefined) return compareWhole(database, from, to);
    const changes = decodeChanges(later.changes);
    if (later === left) {
      back.push(changes.map(({ path, before, after }) => change(path, after, before)));
      left = log.link(later.parent);
    } else {
      forth.push(changes);
      right = log.link(later.parent);
    }
  }
  return compose([...back, ...forth.reverse()]);
}

/** Combines consecutive change lists, each in byte order, into one. */
export function compose(lists: readonly (readonly Change[])[]): readonly Change[] {
  const [only, ...others] = lists;
  if (only && others.length === 0) return only;
  const sides = new Map<BytePath, { before: RecordedState | undefined; after: RecordedState | undefined }>();
  for (const list of lists) {
    for (const { path, before, after } of list) {
      const known = sides.get(path);
      if (known) known.after = after;
      else sides.set(path, { before, after });
    }
  }
  const changes: Change[] = [];
  for (const [path, { before, after }] of sides) {
    if (!sameState(before, after)) changes.push(change(path, before, after));
  }
  return changes.sort((a, b) => byBytes(a.path, b.path));
}

function compareWhole(database: Database, from: CaptureId, to: CaptureId): Change[] {
  const left = readCapture(database, from);
  const right = readCapture(database, to);
  const paths = new Set<BytePath>();
  for (const [path] of left.recorded()) paths.add(path);
  for (const [path] of right.recorded()) paths.add(path);
  const changes: Change[] = [];
  for (const path of [...paths].sort(byBytes)) {
    const before = stateIn(left, path);
    const after = stateIn(right, path);
    if (!sameState(before, after)) changes.push(change(path, before, after));
  }
  return changes;
}

function stateIn(tree: CaptureTree, path: BytePath): RecordedState | undefined {
  return tree.get(path) ?? tree.uncovered(path);
}

function change(path: BytePath, before: RecordedState | undefined, after: RecordedState | undefined): Change {
  return { path, ...(before && { before }), ...(after && { after }) };
}
