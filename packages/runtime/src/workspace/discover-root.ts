import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Store } from "../store/open-store.ts";

/**
 * The workspace of a directory: the nearest directory upwards that has threads, otherwise the root of the git
 * repository, otherwise the directory itself. A repository in `/` or in the home directory does not count.
 */
export function discoverRoot(store: Store, directory: string): string {
  const here = realDirectory(directory);
  // Opening it will refuse a directory whose name cannot be resolved, with a message.
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
