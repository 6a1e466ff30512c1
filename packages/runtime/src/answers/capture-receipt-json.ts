import { type Receipt, showPath } from "@retake/workspace";

/** The receipt of a capture as JSON: the covered files, and the paths that it left out, with the reasons. */
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
