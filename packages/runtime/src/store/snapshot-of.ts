import { activeTake, type Operation, type OperationKind, preview, roleOf, type State, tree, turn } from "@retake/core";
import type { NewSnapshot, SnapshotKind } from "./snapshot-log.ts";

/**
 * The snapshot that an operation makes, if any: the files at the start of a turn, after each of its tools, at its end,
 * and before a restore.
 */
export function snapshotOf(
  thread: string,
  operation: Operation,
  before: FilesBefore | undefined,
  after: State,
): NewSnapshot | undefined {
  const files = filesAt(operation, before, after);
  if (!files || files.tree === "") return undefined;
  const { id, turn_id, created_at } = operation;
  return {
    // An operation makes one snapshot, so the operation's id identifies it.
    id: `S-${id}`,
    thread,
    operation: id,
    ...(files.after === undefined ? {} : { after: files.after }),
    ...(turn_id === undefined ? {} : { turn: turn_id }),
    kind: files.kind,
    label: labelOf(files.kind, operation, after),
    tree: files.tree,
    created_at,
  };
}

function labelOf(kind: SnapshotKind, { description, take, turn_id = "" }: Operation, after: State): string {
  const prompt = preview({ content: turn(after, take, turn_id)?.prompt ?? "" });
  if (kind === "pre-turn") return `Before: ${prompt}`;
  if (kind === "post-turn") return `After: ${prompt}`;
  return kind === "tool" ? description : `Before: ${description}`;
}

const OF_TURN: Partial<Record<OperationKind, SnapshotKind>> = {
  "turn-started": "pre-turn",
  "tool-ended": "tool",
  // Of a command in the background.
  "tool-progressed": "tool",
  "turn-finished": "post-turn",
};

/** The files before an operation that may restore others. */
export interface FilesBefore {
  readonly tree: string;
  /** The operation that they were after. */
  readonly after: string;
}

/** Undefined when the operation cannot restore files. Asked before it is applied: the state may change in place. */
export function filesBefore(operation: Operation, state: State): FilesBefore | undefined {
  if (OF_TURN[operation.kind] || roleOf(operation) === "note" || roleOf(operation) === "turn") return undefined;
  return state.head === null ? undefined : { tree: tree(state, activeTake(state)), after: state.head };
}

function filesAt(
  operation: Operation,
  before: FilesBefore | undefined,
  after: State,
): { kind: SnapshotKind; tree: string; after: string | undefined } | undefined {
  const ofTurn = OF_TURN[operation.kind];
  // A tool that writes is recorded with the files after it; a tool that only reads changes none.
  const unchanged = ofTurn === "tool" && !operation.diff.changes.some(({ id }) => id.endsWith("/workspace"));
  if (unchanged) return undefined;
  if (ofTurn) return { kind: ofTurn, tree: tree(after, operation.take), after: operation.id };
  if (!before || before.tree === tree(after, activeTake(after))) return undefined;
  return { kind: "pre-restore", ...before };
}
