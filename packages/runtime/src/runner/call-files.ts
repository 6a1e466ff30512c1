import { type CallReceipt, type Covered, ReceiptLists } from "@retake/core";
import { type Captured, type Change, showPath } from "@retake/workspace";

/**
 * The files after a call and the call's effect on them. They are stored with its result, so that they are known also
 * after the process was killed.
 */
export function callFiles({ id, changes, receipt }: Captured): {
  readonly tree: string;
  readonly receipt: CallReceipt;
} {
  const changed = changes.filter(({ before, after }) => before?.kind !== "uncovered" && after?.kind !== "uncovered");
  // Created or removed: a path that only came under other ignore rules has not changed.
  const leftOut = changes.filter(({ before, after }) => isLeftOut(before, after) || isLeftOut(after, before));
  const uncovered = new Set([...receipt.leftOutChanged, ...leftOut.map(({ path }) => path)]);
  // A left-out directory changes with a file in it that is named, or captured all the same (F24).
  const inside = [...changed.map(({ path }) => path), ...uncovered];
  for (const path of uncovered) if (inside.some((each) => each.startsWith(`${path}/`))) uncovered.delete(path);
  const lists = new ReceiptLists();
  return {
    tree: id,
    receipt: {
      files_changed: lists.cut(changed.filter(isOfItsOwn).map(({ path }) => showPath(path))),
      ignored_changed: lists.cut(receipt.ignoredChanged.map(showPath)),
      uncovered_changed: lists.cut([...uncovered].map(showPath)),
      omitted: lists.omitted,
    },
  };
}

/** A directory that is not empty any more, or empty again, is no change beside that of the file in it. */
function isOfItsOwn({ path, before, after }: Change, _: number, all: readonly Change[]): boolean {
  if ((before ?? after)?.kind !== "directory") return true;
  return !all.some((other) => other.path.startsWith(`${path}/`));
}

export function coveredBy({ receipt: { files, bytes, uncovered } }: Captured): Covered {
  return { files, bytes, uncovered: uncovered.map(({ path, reason }) => ({ path: showPath(path), reason })) };
}

function isLeftOut(side: Change["before"], other: Change["after"]): boolean {
  return side?.kind === "uncovered" && !side.inherited && other === undefined;
}
