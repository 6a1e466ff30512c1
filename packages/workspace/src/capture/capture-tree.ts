import type { Database } from "../database/database.ts";
import type { BytePath, CaptureId, FileState, FileTree, Uncovered } from "../model/model.ts";
import { parentOf } from "../model/path-bytes.ts";
import { decodeChanges, decodeListing, type RecordedState } from "../model/state-codec.ts";
import { CaptureLog } from "./capture-log.ts";

/** Reads the files of one capture: the nearest listing before it, with every later change list folded in. */
export function readCapture(database: Database, id: CaptureId): CaptureTree {
  const log = new CaptureLog(database);
  const lists: Uint8Array[] = [];
  let capture = log.get(id);
  while (!capture.listing && capture.parent !== undefined) {
    lists.push(capture.changes);
    capture = log.get(capture.parent);
  }
  const states = capture.listing ? decodeListing(capture.listing) : new Map<BytePath, RecordedState>();
  if (!capture.listing) lists.push(capture.changes);
  for (const list of lists.reverse()) {
    for (const { path, after } of decodeChanges(list)) {
      // A path under a left-out directory is not recorded; the directory is.
      if (after && !(after.kind === "uncovered" && after.inherited)) states.set(path, after);
      else states.delete(path);
    }
  }
  return new CaptureTree(states);
}

/**
 * Returns a function that tells whether ignore rules kept a path on disk out of a capture's tree. It searches the
 * change lists backwards for the path's last capture, so a few paths cost a few change lists and not the whole listing.
 * Each list is read once, so thousands of paths cost no more than reading the capture.
 */
export function ignoredIn(database: Database, id: CaptureId): (path: BytePath) => boolean {
  const log = new CaptureLog(database);
  const found = new Map<BytePath, boolean>();
  const note = (path: BytePath, state: RecordedState | undefined) => {
    if (!found.has(path)) found.set(path, isIgnored(state));
  };
  let next: CaptureId | undefined = id;
  return (path) => {
    while (next !== undefined && !found.has(path)) {
      const { changes, listing, parent } = log.get(next);
      for (const change of decodeChanges(changes)) note(change.path, change.after);
      for (const [listed, state] of listing ? decodeListing(listing) : []) note(listed, state);
      next = listing ? undefined : parent;
    }
    return found.get(path) ?? isIgnored(undefined);
  };
}

/** A path that is on disk but not in the capture was left out of it. */
function isIgnored(state: RecordedState | undefined): boolean {
  return state === undefined || state.kind === "uncovered" || state.ignored === true;
}

export class CaptureTree implements FileTree {
  readonly #states: ReadonlyMap<BytePath, RecordedState>;
  #sorted: BytePath[] | undefined;

  constructor(states: ReadonlyMap<BytePath, RecordedState>) {
    this.#states = states;
  }

  get(path: BytePath): FileState | undefined {
    const state = this.#states.get(path);
    return state?.kind === "uncovered" ? undefined : state;
  }

  uncovered(path: BytePath): Uncovered | undefined {
    for (let at = path; at !== ""; at = parentOf(at)) {
      const state = this.#states.get(at);
      if (state?.kind === "uncovered") return state;
    }
    return undefined;
  }

  *entries(under?: BytePath): Iterable<readonly [BytePath, FileState]> {
    for (const [path, state] of this.recorded(under)) if (state.kind !== "uncovered") yield [path, state];
  }

  /** The recorded states, including paths that are not covered. */
  *recorded(under?: BytePath): Iterable<readonly [BytePath, RecordedState]> {
    this.#sorted ??= [...this.#states.keys()].sort(byBytes);
    const paths = this.#sorted;
    const prefix = under === undefined ? "" : `${under}/`;
    for (let index = firstFrom(paths, prefix); index < paths.length; index += 1) {
      const path = paths[index];
      if (path === undefined || !path.startsWith(prefix)) return;
      const state = this.#states.get(path);
      if (state) yield [path, state];
    }
  }
}

/** JavaScript's own order of strings, which for BytePaths is the order of their bytes. */
export function byBytes(a: BytePath, b: BytePath): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function firstFrom(paths: readonly BytePath[], prefix: BytePath): number {
  let low = 0;
  let high = paths.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((paths[middle] ?? "") < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}
