import { realpathSync } from "node:fs";
import { ActionError } from "../../host/action-error.ts";

/** A directory as workspaces are named in the store: without links. */
export function existingDirectory(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new ActionError("workspace-missing", `The directory ${path} is not there. Nothing was changed.`, { cause });
  }
}
