import { accessSync, closeSync, constants, openSync } from "node:fs";

/**
 * Creates a file that only its owner can read, unless it exists; an existing file must be writable. An existing file is
 * not opened: closing it would drop every lock that the process has on it, including those of SQLite.
 */
export function ownFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}
