import { decode, operationFormat } from "@retake/core";
import { firstForSegment, type SegmentOperation, SYNC_LIMITS } from "@retake/core/sync";
import {
  type CaptureId,
  CaptureLog,
  type Change,
  changesBetween,
  creations,
  type Database,
  decodeChanges,
  type Hash,
  type ObjectStore,
  readCapture,
} from "@retake/workspace";
import { type BundleLine, changeLine, type TreeLine } from "../exchange/bundle-format.ts";
import { namedTrees } from "../store/named-trees.ts";
import type { StorePart } from "../store/store-part.ts";
import type { SyncRows } from "../store/sync-rows.ts";
import type { ThreadKeys } from "./thread-keys.ts";

/** The content of the next segment of a thread. */
export interface SegmentContent {
  readonly operations: readonly SegmentOperation[];
  readonly lines: readonly BundleLine[];
  /** The trees in it. */
  readonly trees: readonly CaptureId[];
  /** The contents that it needs, each with its size. */
  readonly contents: ReadonlyMap<Hash, number>;
}

/** The files of a thread's first tree are sent when they are not more than this: a thread that begins in a large
 * workspace is not worth sending the workspace. */
const LARGEST_BASE = 32 * 1024 ** 2;

/**
 * Collects the first operations of the outbox, the trees that they name and that the server does not have, and the
 * contents that those trees changed: before and after, so that other devices can undo, redo and compare. It reads one
 * moment of the store.
 */
export function segmentContent(
  part: Pick<StorePart, "database">,
  rows: SyncRows,
  objects: ObjectStore,
  thread: string,
  keys: ThreadKeys,
): SegmentContent {
  const { database } = part;
  return database.snapshot(() => {
    const captures = new CaptureLog(database);
    const operations: SegmentOperation[] = [];
    const lines: BundleLine[] = [];
    const trees = new Set<CaptureId>();
    for (const { id, hash, body } of firstForSegment(rows.outbox(thread), ({ body: { length } }) => length)) {
      const decoded = decode(operationFormat, JSON.parse(body));
      if (decoded.kind === "unreadable") throw new Error(`operation ${id}: ${decoded.message}`);
      operations.push({ id, tag: keys.tag(hash), parents: decoded.value.parents });
      lines.push({ kind: "operation", hash, body });
      for (const name of namedTrees(decoded.value))
        if (!rows.hasTree(thread, name) && captures.has(name)) trees.add(name);
    }
    const contents = new Map<Hash, number>();
    let base = rows.lastTree(thread);
    for (const tree of trees) {
      const changes = changesOf(database, captures, base, tree);
      lines.push(treeLine(captures, tree, base, changes.length), ...changes.map(changeLine));
      if (base !== undefined || captures.totals(tree).bytes <= LARGEST_BASE) addContents(contents, changes, objects);
      base = tree;
    }
    for (const [hash, size] of contents) lines.push({ kind: "object", hash, size });
    return { operations, lines, trees: [...trees], contents };
  });
}

/** Exactly those that were captured where they lead from the base, so that the name of the tree can be checked. */
function changesOf(
  database: Database,
  captures: CaptureLog,
  base: CaptureId | undefined,
  tree: CaptureId,
): readonly Change[] {
  if (base === undefined) return [...creations(readCapture(database, tree).recorded())];
  const { parent, follows, changes } = captures.link(tree);
  return base === parent && base === follows ? decodeChanges(changes) : changesBetween(database, base, tree);
}

function treeLine(captures: CaptureLog, tree: CaptureId, base: CaptureId | undefined, changes: number): TreeLine {
  const { follows, partial } = captures.link(tree);
  const from = base ?? "";
  return {
    kind: "tree",
    name: tree,
    parent: follows,
    kept: true,
    changes,
    ...(from === follows ? {} : { from }),
    ...(partial ? { partial: true as const } : {}),
  };
}

/** Contents that garbage collection has deleted here, or that never came here, are not sent. */
function addContents(contents: Map<Hash, number>, changes: readonly Change[], objects: ObjectStore): void {
  for (const { before, after } of changes)
    for (const state of [before, after]) {
      if (state?.kind !== "file" && state?.kind !== "link") continue;
      if (contents.size < MOST_CONTENTS && objects.has(state.hash)) contents.set(state.hash, state.size);
    }
}

/** A large content is several blobs. */
const MOST_CONTENTS = SYNC_LIMITS.segment_blobs / 2;
