import {
  decode,
  localId,
  type Operation,
  operationFormat,
  type Refusal,
  recordOf,
  refuse,
  roleOf,
  takes,
  tree,
} from "@retake/core";
import {
  type BytePath,
  type CaptureId,
  CaptureLog,
  type Change,
  compose,
  creations,
  decodeChanges,
  type Hash,
  readCapture,
  type WorkspaceFiles,
} from "@retake/workspace";
import { namedTrees } from "../store/named-trees.ts";
import { operationsUpTo, type StoredOperation } from "../store/stored-operations.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { BUNDLE_FORMAT, BUNDLE_VERSION, changeLine, PART_BYTES, type TreeLine } from "./bundle-format.ts";
import { BundleWriter } from "./bundle-writer.ts";
import { type Exported, type ExportOptions, HeldBack } from "./held-back.ts";

/** The bundle of a thread as it is now, or as it was right after an operation. */
export function writeBundle(
  workspace: Workspace,
  thread: string,
  { at, withIgnored = false }: ExportOptions = {},
): Exported | Refusal {
  const files = workspace.files(thread);
  const { database } = files;
  return database.snapshot(() => {
    const { head, title, present } = workspace.store.read(thread, (history) => {
      const state = at === undefined ? history.state : history.stateAt(at);
      const trees = takes(state).map(({ id }) => tree(state, id));
      return { head: state.head ?? "", title: String(recordOf(state, "thread")?.["title"] ?? ""), present: trees };
    });
    const captures = new CaptureLog(database);
    if (present.some((name) => name !== "" && !captures.has(name)))
      return refuse("not-found", "The files of that time are not kept any more. Nothing was written.");
    const bundle = new BundleWriter();
    bundle.write({ format: BUNDLE_FORMAT, format_version: BUNDLE_VERSION, thread_id: thread, title });
    const named = new Set<CaptureId>();
    const turns: TreeStep[] = [];
    for (const stored of operationsUpTo(database, thread, head)) {
      bundle.write({ kind: "operation", hash: stored.hash, body: stored.body });
      // Files that gc deleted here are not in the bundle either.
      const operation = operationOf(stored);
      for (const name of namedTrees(operation)) if (captures.has(name)) named.add(name);
      if (roleOf(operation) === "turn") turns.push(...treeSteps(operation, captures));
    }
    const heldBack = new HeldBack(ignoredChangedBy(turns, files), withIgnored);
    const contents = writeTrees(bundle, files, named, heldBack);
    writeObjects(bundle, files, contents);
    return { bytes: bundle.finish(), contents: contents.size, held_back: heldBack.list() };
  });
}

function operationOf({ id, body }: StoredOperation): Operation {
  const decoded = decode(operationFormat, JSON.parse(body));
  if (decoded.kind === "unreadable") throw new Error(`operation ${id}: ${decoded.message}`);
  return decoded.value;
}

interface TreeStep {
  readonly before: CaptureId;
  readonly after: CaptureId;
}

function treeSteps({ diff }: Operation, captures: CaptureLog): TreeStep[] {
  return diff.changes.flatMap((change) => {
    if (change.kind !== "update" || localId(change.id) !== "workspace") return [];
    const { before = "", after = "" } = (change.fields["tree"] ?? {}) as Partial<TreeStep>;
    return captures.has(before) && captures.has(after) ? [{ before, after }] : [];
  });
}

/** The ignored files that turns changed. */
function ignoredChangedBy(turns: readonly TreeStep[], files: WorkspaceFiles): Set<BytePath> {
  const paths = new Set<BytePath>();
  for (const { before, after } of turns)
    for (const change of files.changes(before, after))
      if ([change.before, change.after].some((state) => state !== undefined && "ignored" in state))
        paths.add(change.path);
  return paths;
}

/** Returns the contents of the files in named trees, each with one path where it occurs. */
function writeTrees(
  bundle: BundleWriter,
  { database }: WorkspaceFiles,
  named: ReadonlySet<CaptureId>,
  heldBack: HeldBack,
): ReadonlyMap<Hash, BytePath> {
  const contents = new Map<Hash, BytePath>();
  // The changes since the last named tree of the lineage.
  const since = new Map<CaptureId, readonly Change[]>();
  const log = new CaptureLog(database);
  for (const [id, whole] of lineages(log, named)) {
    const { follows, parent = "", changes: stored, partial: imported } = log.link(id);
    const all = whole ? [...creations(readCapture(database, id).recorded())] : decodeChanges(stored);
    const changes = heldBack.without(all);
    const from = whole ? "" : parent;
    const kept = named.has(id);
    bundle.write({
      kind: "tree",
      name: id,
      parent: follows,
      kept,
      changes: changes.length,
      ...(from === follows ? {} : { from }),
      ...(imported || changes !== all ? { partial: true as const } : {}),
    } satisfies TreeLine);
    for (const change of changes) bundle.write(changeLine(change));
    const composed = compose([since.get(from) ?? [], changes]);
    since.set(id, kept ? [] : composed);
    if (kept)
      for (const { path, after } of composed)
        if (after?.kind === "file" || after?.kind === "link") contents.set(after.hash, path);
  }
  return contents;
}

/**
 * Named captures and those between them, each after the one that it leads from; the value is true when that one is not
 * among them.
 */
function lineages(log: CaptureLog, named: ReadonlySet<CaptureId>): ReadonlyMap<CaptureId, boolean> {
  const found = new Map<CaptureId, boolean>();
  const ordered = [...named].map((id) => log.link(id)).sort((a, b) => a.row - b.row);
  for (const { id } of ordered) {
    const way: CaptureId[] = [];
    let at: CaptureId | undefined = id;
    for (; at !== undefined && !found.has(at); at = log.link(at).parent) way.push(at);
    if (at === undefined) found.set(id, true);
    else for (const step of way.reverse()) found.set(step, false);
  }
  return found;
}

function writeObjects(bundle: BundleWriter, { objects }: WorkspaceFiles, contents: ReadonlyMap<Hash, BytePath>): void {
  for (const [hash, path] of contents) {
    const content = objects.read(hash, path);
    bundle.write({ kind: "object", hash, size: content.byteLength });
    for (let start = 0; start < content.byteLength; start += PART_BYTES)
      bundle.write({ kind: "part", content: content.subarray(start, start + PART_BYTES).toString("base64") });
  }
}
