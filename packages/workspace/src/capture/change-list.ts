import type { BytePath, Change, Uncovered } from "../model/model.ts";
import { parentOf } from "../model/path-bytes.ts";
import { type RecordedState, sameState } from "../model/state-codec.ts";
import type { Listing } from "../scan/listing.ts";
import { byBytes } from "./capture-tree.ts";

/**
 * The differences between the last commit and the current listing.
 *
 * When a directory becomes left out, the files under it are not deleted; when it is covered again, its files are not
 * new. Such a side is `uncovered`, not absent, so that a restore neither deletes nor writes the file.
 */
export function changeList(listing: Listing): Change[] {
  const changes: Change[] = [];
  const committed = (path: BytePath) => (listing.touched.has(path) ? listing.touched.get(path) : listing.stateOf(path));
  for (const [path, was] of listing.touched) {
    const is = listing.stateOf(path);
    if (sameState(was, is)) continue;
    const isClaimed = listing.claims.has(path);
    const before = was ?? (isClaimed ? undefined : inherited(path, committed));
    const after = is ?? (isClaimed ? undefined : inherited(path, (above) => listing.stateOf(above)));
    changes.push({ path, ...(before && { before }), ...(after && { after }) });
  }
  return changes.sort((a, b) => byBytes(a.path, b.path));
}

function inherited(path: BytePath, stateOf: (path: BytePath) => RecordedState | undefined): Uncovered | undefined {
  for (let at = parentOf(path); at !== ""; at = parentOf(at)) {
    const state = stateOf(at);
    if (state?.kind === "uncovered") return { ...state, inherited: true };
  }
  return undefined;
}
