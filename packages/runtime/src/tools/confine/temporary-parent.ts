import { accessSync, constants } from "node:fs";
import { tmpdir } from "node:os";

/** The directory for temporary ones: /tmp where `TMPDIR` is another user's or gone, as after `su`. */
export function temporaryParent(): string {
  try {
    accessSync(tmpdir(), constants.W_OK | constants.X_OK);
    return tmpdir();
  } catch {
    return "/tmp";
  }
}
