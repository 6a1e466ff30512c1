import {
  activeTake,
  type History,
  isRefusal,
  type Json,
  type OperationId,
  type Refusal,
  recordsBack,
  refuse,
  spaceId,
  tree,
} from "@retake/core";
import type { CaptureId } from "@retake/workspace";
import { treeAt } from "../snapshots/tree-at.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { findPoint, type Point } from "./find-point.ts";
import { findSnapshot } from "./find-snapshot.ts";

/** The files of a moment; `now` are those on disk. */
export type FilesOf =
  | { readonly kind: "now" }
  | { readonly kind: "captured"; readonly thread: string; readonly tree: string };

/**
 * `now`, `last-turn` (the files before the last turn), a snapshot of this workspace, or a point of the thread's
 * history.
 */
export function findFiles(workspace: Workspace, thread: string, name: string): FilesOf | Refusal {
  if (name === "now") return { kind: "now" };
  if (name === "last-turn") return filesBeforeLastTurn(workspace, thread);
  if (name.startsWith("S-")) {
    const snapshot = findSnapshot(workspace, name);
    return isRefusal(snapshot) ? snapshot : captured(snapshot.thread, snapshot.tree);
  }
  return workspace.store.names(thread, (scope) => {
    const point = findPoint(scope, name);
    if (!isRefusal(point)) return captured(thread, treeOfPoint(scope.history, point));
    const labelled = findSnapshot(workspace, name);
    return isRefusal(labelled) ? point : captured(labelled.thread, labelled.tree);
  });
}

/** The files before the last turn of the active take; without a turn, the take's present files. */
function filesBeforeLastTurn(workspace: Workspace, thread: string): FilesOf | Refusal {
  return workspace.store.read(thread, ({ state }) => {
    const take = activeTake(state);
    for (const [, last] of recordsBack(state, take, "turn")) return captured(thread, String(last["tree_before"] ?? ""));
    return captured(thread, tree(state, take));
  });
}

/** The captures of moments, in the store that holds all of them. */
export async function capturesOf(
  workspace: Workspace,
  thread: string,
  files: readonly FilesOf[],
): Promise<{ readonly thread: string; readonly captures: readonly CaptureId[] } | Refusal> {
  const threads = files.flatMap((each) => (each.kind === "captured" ? [each.thread] : []));
  const of = threads[0] ?? thread;
  const store = workspace.files(of);
  if (threads.some((each) => workspace.files(each) !== store))
    return refuse("invalid-input", "One of them is of a private thread: it cannot be compared with one that is not.");
  const captures: CaptureId[] = [];
  for (const each of files) captures.push(each.kind === "now" ? (await store.capture()).id : each.tree);
  return { thread: of, captures };
}

function captured(thread: string, name: string): FilesOf | Refusal {
  if (name !== "") return { kind: "captured", thread, tree: name };
  return refuse("not-found", "No files were captured there.");
}

/** The files of a point. The operations of a turn name the files before and after it, so no past state is computed. */
function treeOfPoint(history: History, { operation, take, turn: of }: Point): string {
  const said = of && treeSaid(history, of.side === "before" ? of.start.operation : operation, of.start.id);
  return said ?? treeAt(history, operation, take);
}

function treeSaid(history: History, id: OperationId, turn: string): string | undefined {
  const operation = history.operation(id);
  const change = operation?.diff.changes.find((each) => each.id === spaceId(operation.take, "turn", turn));
  if (change?.kind === "create") return textIn(change.after["tree_before"]);
  const left = change?.kind === "update" ? change.fields["tree_after"] : undefined;
  return left && "after" in left ? textIn(left.after) : undefined;
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
