import { type Receipt, showPath } from "@retake/workspace";

/** What a capture covered, and what it did not and why, as other programs are told of it. */
export function captureReceiptJson(receipt: Receipt) {
  return {
    files: receipt.files,
    bytes: receipt.bytes,
    changed: receipt.changed,
    ignored_changed: receipt.ignoredChanged.map(showPath),
    uncovered_changed: receipt.leftOutChanged.map(showPath),
    uncovered: receipt.uncovered.map(({ path, reason }) => ({ path: showPath(path), reason })),
    found_by: receipt.foundBy,
  };
}
