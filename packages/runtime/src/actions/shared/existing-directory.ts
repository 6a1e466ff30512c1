import { resolveRoot } from "@retake/workspace";
import { ActionError } from "../../host/action-error.ts";
import type { Runtime } from "../../host/runtime.ts";
import { aliasesIn } from "../../store/directories.ts";

/** A directory as workspaces are named in the store: without links. */
export function existingDirectory({ store }: Runtime, path: string): string {
  try {
    return resolveRoot(path, aliasesIn(store.directories));
  } catch (cause) {
    throw new ActionError("workspace-missing", `The directory ${path} is not there. Nothing was changed.`, { cause });
  }
}
