import { type Covered, type JsonObject, ReceiptLists } from "@retake/core";
import { type Captured, type Change, showPath } from "@retake/workspace";

/** The files after a call, and what it did to them, kept with its result: so it is known also of a turn whose process was killed. */
export function callFiles({ id, changes, receipt }: Captured): { readonly tree: string; readonly receipt: JsonObject } {
  const changed = changes.filter(({ before, after }) => before?.kind !== "uncovered" && after?.kind !== "uncovered");
  // Made or removed: what only came under other ignore rules has not changed.
  const leftOut = changes.filter(({ before, after }) => isLeftOut(before, after) || isLeftOut(after, before));
  const uncovered = new Set([...receipt.leftOutChanged, ...leftOut.map(({ path }) => path)]);
  const lists = new ReceiptLists();
  return {
    tree: id,
    receipt: {
      files_changed: lists.cut(changed.map(({ path }) => showPath(path))),
      ignored_changed: lists.cut(receipt.ignoredChanged.map(showPath)),
      uncovered_changed: lists.cut([...uncovered].map(showPath)),
      omitted: lists.omitted,
    },
  };
}

export function coveredBy({ receipt: { files, bytes, uncovered } }: Captured): Covered {
  return { files, bytes, uncovered: uncovered.map(({ path, reason }) => ({ path: showPath(path), reason })) };
}

function isLeftOut(side: Change["before"], other: Change["after"]): boolean {
  return side?.kind === "uncovered" && !side.inherited && other === undefined;
}
