import { accessSync, closeSync, constants, openSync } from "node:fs";

/**
 * Makes a file that is its owner's alone, where it is not there yet; one that is there must be writable. It is not
 * opened for that: whoever closes a file drops every lock that the process has on it, those of SQLite too.
 */
export function ownFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}
