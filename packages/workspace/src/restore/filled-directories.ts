import type { BytePath, Change } from "../model/model.ts";
import { parentOf } from "../model/path-bytes.ts";
import type { Directories } from "./directories.ts";
import type { MaybeState } from "./file-state.ts";
import { readDisk } from "./read-disk.ts";

/**
 * Empty directories that a plan puts something into. They need no action. But a capture stops listing them, and undoing
 * the restore makes them empty again.
 */
export function filledDirectories(directories: Directories, actions: readonly Planned[]): Change[] {
  const planned = new Set(actions.map(({ path }) => path));
  const seen = new Set<BytePath>();
  const filled: Change[] = [];
  for (const { path, before, after } of actions) {
    if (before || !after) continue;
    directories.trim();
    for (let at = parentOf(path); at !== "" && !seen.has(at); at = parentOf(at)) {
      seen.add(at);
      if (directories.find(at).kind !== "directory") continue;
      const { state } = readDisk(directories, at);
      if (state?.kind === "directory" && !planned.has(at)) filled.push({ path: at, before: state });
      break;
    }
  }
  return filled;
}

interface Planned {
  readonly path: BytePath;
  readonly before: MaybeState;
  readonly after: MaybeState;
}
