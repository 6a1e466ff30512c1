import { existsSync } from "node:fs";
import { join } from "node:path";
import { homeDirectory, resolveRoot } from "@retake/workspace";
import { aliasesIn } from "../store/directories.ts";
import type { Store } from "../store/open-store.ts";

/**
 * The workspace of a directory: the nearest directory upwards that has threads, otherwise the root of the git
 * repository, otherwise the directory itself. A repository in `/` or in the home directory does not count.
 */
export function discoverRoot(store: Store, directory: string): string {
  const name = (path: string) => realDirectory(store, path);
  const here = name(directory);
  // Opening it will refuse a directory whose name cannot be resolved, with a message.
  if (here === undefined) return directory;
  const upwards = [...ancestors(here, name)];
  const known = upwards.find((each) => store.threads(each).length > 0);
  const repository = upwards.find((each) => existsSync(join(each, ".git")));
  const home = homeDirectory();
  const tooWide = ["/", home && name(home)];
  return known ?? (repository === undefined || tooWide.includes(repository) ? here : repository);
}

function realDirectory(store: Store, directory: string): string | undefined {
  try {
    return resolveRoot(directory, aliasesIn(store.directories));
  } catch {
    return undefined;
  }
}

/** By the file system, because what an alias leads to has another parent. */
function* ancestors(directory: string, name: (path: string) => string | undefined): Iterable<string> {
  for (let each = directory; ; ) {
    yield each;
    const parent = name(`${each}/..`);
    if (parent === undefined || parent === each) return;
    each = parent;
  }
}
