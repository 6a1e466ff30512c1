import { activeTake, type State, tree, turn } from "@retake/core";
import { type CaptureId, treeAt, turnNumbers } from "@retake/runtime";
import { type Call, notFound, wrongUsage } from "./command.ts";
import { findSnapshot } from "./find-snapshot.ts";
import { findTurn } from "./find-turn.ts";
import { onlyOne } from "./only-one.ts";

/** A moment whose files are known; `now` are those on disk. */
export type Point =
  | { readonly kind: "now" }
  | { readonly kind: "captured"; readonly thread: string; readonly tree: string };

/**
 * `now`, a snapshot, an operation (the files after it), or a turn by its number: where it began, or where it
 * ended when it is the end of what is looked at.
 */
export function findPoint(call: Call, name: string, side: "from" | "to"): Point {
  if (name === "now") return { kind: "now" };
  if (name.startsWith("S-")) return captured(findSnapshot(call, name));
  const { workspace, thread } = call;
  const ofTurn = workspace.store.read(thread, ({ state }) => {
    const id = findTurn(state, name);
    return id === undefined ? undefined : treeOfTurn(state, id, side);
  });
  if (ofTurn !== undefined) return captured({ thread, tree: ofTurn });
  const found = workspace.store.operationIds(thread, name);
  // The id of a user's own snapshot, without what it begins with.
  if (found.length === 0) return captured(findSnapshot(call, name));
  const operation = onlyOne(POINT, name, found, (id) => id);
  return captured({ thread, tree: workspace.store.read(thread, (history) => treeAt(history, operation)) });
}

/** Where the last turn began; in a take without turns, what is known of its files. */
export function lastTurnStart({ workspace, thread }: Call): Point {
  return workspace.store.read(thread, ({ state }) => {
    const take = activeTake(state);
    const last = [...turnNumbers(state, take).keys()].at(-1);
    return captured({ thread, tree: last === undefined ? tree(state, take) : treeOfTurn(state, last, "from") });
  });
}

/** The captures of two points, in the store that holds both. */
export async function capturesOf(
  { workspace, thread }: Call,
  points: readonly Point[],
): Promise<{ readonly thread: string; readonly captures: readonly CaptureId[] }> {
  const threads = points.flatMap((point) => (point.kind === "captured" ? [point.thread] : []));
  const of = threads[0] ?? thread;
  const files = workspace.files(of);
  if (threads.some((each) => workspace.files(each) !== files))
    throw wrongUsage("One of them is of a private discussion: it cannot be compared with one that is not.");
  const captures: CaptureId[] = [];
  for (const point of points) captures.push(point.kind === "now" ? (await files.capture()).id : point.tree);
  return { thread: of, captures };
}

function captured({ thread, tree: name }: { readonly thread: string; readonly tree: string }): Point {
  if (name === "") throw notFound("No files were captured there.");
  return { kind: "captured", thread, tree: name };
}

function treeOfTurn(state: State, id: string, side: "from" | "to"): string {
  const { tree_before = "", tree_after } = turn(state, activeTake(state), id) ?? {};
  return side === "from" ? tree_before : (tree_after ?? tree(state, activeTake(state)));
}

const POINT = { one: "a point", noun: "snapshot, operation or turn", many: "operations", list: "retake history --all" };
