import { lstatSync } from "node:fs";
import { type BytePath, type Change, diskPath } from "@retake/workspace";

/**
 * Tells the changes that a command may have made from those of the user after it. `mark`: the file that is made when the
 * command has ended (`endMark`). Without it the command may have made any change.
 *
 * A file that is gone says nothing about when it went: it counts as the command's, so that an undo brings it back.
 */
export function commandChanges(root: BytePath, mark: string): CommandChanges {
  const ended = changedAt(mark);
  return {
    ended: ended !== undefined,
    mayHaveMade: ({ path, after }) => {
      if (ended === undefined || after === undefined || after.kind === "uncovered") return true;
      const at = changedAt(diskPath(root, path));
      // At the same time as the mark: the command had ended by then.
      return at === undefined || at < ended;
    },
  };
}

export interface CommandChanges {
  /** It is known that nothing of it runs any more. */
  readonly ended: boolean;
  mayHaveMade(change: Change): boolean;
}

/** When a file, its mode or its name changed last: nobody can set that time back. */
function changedAt(path: string | Buffer): bigint | undefined {
  try {
    return lstatSync(path, { bigint: true }).ctimeNs;
  } catch {
    return undefined;
  }
}
