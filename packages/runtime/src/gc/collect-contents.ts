import { contentFolders } from "../store/content-folder.ts";
import { namedContents } from "../store/named-contents.ts";
import type { Store } from "../store/open-store.ts";

/** How long a file stays that nothing names, in milliseconds: it is kept before the operation that names it. */
const STAYS = 60 * 60 * 1000;

/** Deletes attached contents and images that no thread names at any time of its history, and what killed processes left. */
export function collectContents(store: Store, dryRun: boolean): { readonly contents: number; readonly bytes: number } {
  const named = new Set(store.parts().flatMap((part) => [...namedContents(part.database)]));
  const before = store.identity.now() - STAYS;
  let [contents, bytes] = [0, 0];
  for (const folder of contentFolders(store.directories.data)) {
    for (const { name, digest, isWhole, size, changed } of folder.files()) {
      if ((isWhole && named.has(digest)) || changed > before) continue;
      if (!dryRun) folder.remove(name);
      contents += 1;
      bytes += size;
    }
  }
  return { contents, bytes };
}
