import { type Change, type History, localId, type Operation, type OperationId, spaceId } from "@retake/core";
import type { Database } from "@retake/workspace";
import { keptChanges } from "../undo/thread-files.ts";

/**
 * How many files an operation changed; with `group`, the turn or burst that it ends. Undefined where the files are not
 * kept any more.
 */
export function countFiles(
  database: Database,
  history: History,
  operation: Operation,
  group: boolean,
): number | undefined {
  const [before, after] = (group ? treesOfTurn(history, operation) : undefined) ?? treesOf(operation);
  if (before === after || before === "" || after === "") return 0;
  return keptChanges(database, before, after)?.length;
}

/** The trees that a turn found and left, as its first and its last operation say them. */
function treesOfTurn(history: History, { group, id, turn_id }: Operation): readonly [string, string] | undefined {
  if (turn_id === undefined || group === id) return undefined;
  const [first, last] = [turnIn(history, group, turn_id), turnIn(history, id, turn_id)];
  const before = first?.kind === "create" ? first.after["tree_before"] : undefined;
  const left = last?.kind === "update" ? last.fields["tree_after"] : undefined;
  const after = left && "after" in left ? left.after : undefined;
  return typeof before === "string" && typeof after === "string" ? [before, after] : undefined;
}

function turnIn(history: History, id: OperationId, turn: string): Change | undefined {
  const operation = history.operation(id);
  return operation?.diff.changes.find((each) => each.id === spaceId(operation.take, "turn", turn));
}

function treesOf({ diff }: Operation): readonly [string, string] {
  const change = diff.changes.find(({ id }) => localId(id) === "workspace");
  const tree = change?.kind === "update" ? change.fields["tree"] : undefined;
  return tree && "before" in tree ? [String(tree.before ?? ""), String(tree.after ?? "")] : ["", ""];
}
