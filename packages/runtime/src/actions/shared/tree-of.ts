import { isRefusal, type Refusal } from "@retake/core";
import { resolvePoint } from "../../answers/resolve-point.ts";
import { treeAt } from "../../snapshots/tree-at.ts";
import type { Workspace } from "../../workspace/open-workspace.ts";

/** The files that a thread stood at, at a point or after its last operation. */
export function treeOf(workspace: Workspace, thread: string, point: string | undefined): string | Refusal {
  const operation = point === undefined ? undefined : resolvePoint(workspace.store, thread, point);
  if (isRefusal(operation)) return operation;
  return workspace.store.read(thread, (history) => treeAt(history, operation ?? history.state.head ?? ""));
}
