import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Store } from "../store/open-store.ts";

/**
 * The workspace that a directory is in: the nearest directory upwards that has threads, else the root of the git
 * repository, else the directory itself. A repository in `/` or in the home directory is not taken for a workspace.
 */
export function discoverRoot(store: Store, directory: string): string {
  const here = realDirectory(directory);
  // A directory that cannot be found by its name is refused by the one who opens it, in words.
  if (here === undefined) return directory;
  const upwards = [...ancestors(here)];
  const known = upwards.find((each) => store.threads(each).length > 0);
  const repository = upwards.find((each) => existsSync(join(each, ".git")));
  return known ?? (repository === undefined || TOO_WIDE.has(repository) ? here : repository);
}

function realDirectory(directory: string): string | undefined {
  try {
    return realpathSync(directory);
  } catch {
    return undefined;
  }
}

const TOO_WIDE: ReadonlySet<string> = new Set(["/", homedir()]);

function* ancestors(directory: string): Iterable<string> {
  for (let each = directory; ; each = dirname(each)) {
    yield each;
    if (dirname(each) === each) return;
  }
}
