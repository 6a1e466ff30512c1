import {
  type BytePath,
  type CaptureId,
  type Change,
  composeTransitions,
  decidePath,
  type ObjectReader,
  sameState,
  type Transition,
} from "@retake/workspace";
import type { Exchange } from "./exchange-trees.ts";
import { type FilesElsewhere, NewContents, treeWith } from "./files-elsewhere.ts";
import { changeOf, type ThreadFiles } from "./thread-files.ts";

interface Jump {
  /** The take's own tree, and the tree to which the jump leads. */
  readonly own: CaptureId;
  readonly jumped: CaptureId;
  /** The ways to both trees from the one on disk. */
  readonly toOwn: Exchange;
  readonly toJumped: Exchange;
}

/**
 * The tree that a jump gives a take that is not active. What other threads have changed is no change of the take by the jump: the
 * note after it records that, and it stays when the jump is taken back. So in a file that this thread has changed too, the jump
 * changes what would differ on disk between going to the take's own tree and jumping:
 *
 *   own ── changes of others ──▶ on disk after a switch ── the jump ──▶ on disk after the jump
 */
export function jumpedTree(
  { own, jumped, toOwn, toJumped }: Jump,
  files: ThreadFiles,
  objects: ObjectReader,
): FilesElsewhere {
  const ways = [toOwn, toJumped];
  const alone = new Set(ways.flatMap(({ leftAlone }) => leftAlone.map(({ path }) => path)));
  const shared = new Set(ways.flatMap(({ shared: each }) => [...each]));
  const contents = new NewContents(objects);
  const onDisk = new Map(files.changes(own, toOwn.present).map(({ path, after }) => [path, after]));
  const merged = (path: BytePath, kept: Change["after"]): State | undefined => {
    const now = onDisk.has(path) ? onDisk.get(path) : kept;
    const switched = without(toOwn.transitions, path, now, contents);
    const left = without(toJumped.transitions, path, now, contents);
    return (
      switched && left && without([{ changes: [changeOf(path, left.state, switched.state)] }], path, kept, contents)
    );
  };
  const changes = files.changes(jumped, own).flatMap(({ path, before, after }) => {
    const found =
      (shared.has(path) ? merged(path, after) : undefined) ?? (alone.has(path) ? { state: after } : undefined);
    return found && !sameState(before, found.state) ? [changeOf(path, before, found.state)] : [];
  });
  return treeWith(jumped, changes, contents);
}

interface State {
  readonly state: Change["after"];
}

/** The state of a file after transitions are taken back, newest first; undefined where that does not merge. */
function without(
  transitions: readonly Transition[],
  path: BytePath,
  state: Change["after"],
  contents: NewContents,
): State | undefined {
  const steps = composeTransitions(transitions, (each) => each.path === path).get(path);
  if (!steps) return { state };
  if (state?.kind === "uncovered") return undefined;
  const decision = decidePath(path, { state }, steps, { policy: "abort", contents });
  if (decision.kind === "keep") return undefined;
  return decision.kind === "set" ? { state: decision.state } : { state };
}
