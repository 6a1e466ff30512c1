import { fileChanges, hasOtherThreads } from "../store/file-changes.ts";
import type { Database } from "../store/open-database.ts";
import type { BytePath, Change } from "../workspace/model.ts";
import { sameState } from "../workspace/state-codec.ts";
import { keptChanges } from "./thread-files.ts";

/**
 * X5: which files are what another thread of the workspace made of them, since this one wrote them last or
 * began. What another thread took back itself is not there any more.
 *
 * Operations are read from the newest on, only as far as the answer needs them: what this thread wrote last
 * is found at once.
 */
export function otherWriters(
  /** Of all stores, that of the thread first. */
  databases: readonly Database[],
  root: string,
  thread: string,
): (path: BytePath) => boolean {
  if (!hasOtherThreads(databases, root, thread)) return () => false;
  const known = new Map<BytePath, Written>();
  const operations = fileChanges(databases, root, thread);
  const readOn = (): boolean => {
    const next = operations.next();
    if (next.done) return false;
    const { database, noted } = next.value;
    const own = next.value.thread === thread;
    const changes = (to: string) => keptChanges(database, next.value.before, to) ?? [];
    const changed = noted && new Set(changes(noted).map(({ path }) => path));
    for (const { path, before, after } of changes(next.value.after)) {
      // It was left on disk as it was: only the tree of the take that came is without it.
      if (changed && !changed.has(path)) continue;
      // An empty directory holds nothing of anybody's.
      if (!isFile(before) && !isFile(after)) continue;
      const written = known.get(path);
      if (written?.own) continue;
      const others = { before, after: written?.others ? written.others.after : after };
      known.set(path, { own, others: own ? written?.others : others });
    }
    return true;
  };
  return (path) => {
    while (!known.get(path)?.own && readOn());
    const others = known.get(path)?.others;
    return others !== undefined && !sameState(others.before, others.after);
  };
}

function isFile(state: Change["before"]): boolean {
  return state?.kind === "file" || state?.kind === "link";
}

interface Written {
  /** Whether this thread's last change of the file has been met: what came before it does not matter. */
  readonly own: boolean;
  /** What others made of the file since, and of what. */
  readonly others: { readonly before: Change["before"]; readonly after: Change["after"] } | undefined;
}
