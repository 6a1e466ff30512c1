import { isUtf8 } from "node:buffer";
import { realpathSync } from "node:fs";
import { CaptureError } from "./capture-error.ts";

/** A workspace's directory with links resolved. Refuses a missing directory, and one whose path is not UTF-8. */
export function resolveRoot(root: string): string {
  try {
    const real = realpathSync.native(root, { encoding: "buffer" });
    if (isUtf8(real)) return real.toString("utf8");
  } catch (cause) {
    // Node replaces bytes that are not UTF-8 by U+FFFD, also in `process.cwd()`.
    if (!root.includes("\ufffd")) {
      throw new CaptureError("refused-root", `'${root}' cannot be opened as a workspace. Nothing was changed.`, {
        cause,
      });
    }
  }
  throw new CaptureError(
    "refused-root",
    `'${root}' is not taken as a workspace: the name of the directory, or of one that it is in, is not UTF-8. ` +
      "Nothing was changed. Give it a name that is.",
  );
}
