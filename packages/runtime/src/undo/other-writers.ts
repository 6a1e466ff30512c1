import { type BytePath, type Change, parentOf, sameState } from "@retake/workspace";
import type { DiskChange, DiskLog } from "../store/disk-log.ts";
import { keptChanges } from "./thread-files.ts";

/**
 * X5: returns a function that tells whether another thread of the workspace has changed a file since this thread last
 * wrote it or began. Changes that the other thread has undone do not count.
 *
 * The log is read from its newest row, only as far as needed: the last write of this thread is usually found at once.
 */
export function otherWriters(log: DiskLog, root: string, thread: string): (path: BytePath) => boolean {
  if (!log.hasOthers(root, thread)) return () => false;
  const known = new Map<BytePath, Written>();
  const rows = log.newestFirst(root);
  let begun = false;
  const readOn = (): boolean => {
    const next = begun ? undefined : rows.next();
    if (!next || next.done) return false;
    const { database, before: from, after: to, operation } = next.value;
    const own = next.value.thread === thread;
    begun = own && operation === undefined;
    if (next.value.thread === undefined || operation === undefined) return true;
    for (const { path, before, after } of keptChanges(database, from, to) ?? []) {
      if (isEmptyDirectory(before, after)) continue;
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

/**
 * P4: the files that hold changes of the user: those in `rows`, the newest first, and in `noted`, the changes found on disk
 * that have no row yet. Restoring the files of before would discard such changes; `changed` are the changes of files since
 * then, all in all.
 *
 * A file that becomes again what it was at some time since then holds what it held at that time. So the user's change counts
 * also where a thread has taken it away with a take and brought it back, and not where a thread has made the file what it
 * was before. A thread's note records everything it finds as an outside change, also what another thread wrote; but that has
 * a row of its own, before the note's, or was there before.
 */
export function userEdits(
  rows: readonly DiskChange[],
  noted: readonly Change[],
  changed: readonly Change[],
): ReadonlySet<BytePath> {
  const files = new Map(changed.map(({ path, before }) => [path, [{ state: before, isEdited: false }]]));
  const add = (changes: readonly Change[], isFound: boolean) => {
    const isEmptied = isFound ? emptiedDirectories(changes) : () => false;
    for (const { path, after } of changes) {
      const past = files.get(path);
      const [now] = past ?? [];
      if (!past || !now || (isEmptied(path) && !isFile(after)) || sameState(now.state, after)) continue;
      const known = past.find(({ state }) => sameState(state, after));
      const isEdited = isFound ? !sameState(past.at(-1)?.state, after) : (known ?? now).isEdited;
      past.unshift({ state: after, isEdited });
    }
  };
  for (const { database, thread, operation, before, after } of rows.toReversed())
    if (operation !== undefined) add(keptChanges(database, before, after) ?? [], thread === undefined);
  add(noted, true);
  return new Set([...files].flatMap(([path, [now]]) => (now?.isEdited ? [path] : [])));
}

/**
 * Returns a function that tells whether a directory is empty only because its last file was deleted, and not because
 * somebody wanted an empty directory.
 */
function emptiedDirectories(changes: readonly Change[]): (path: BytePath) => boolean {
  const emptied = new Set<string>();
  for (const { path, before, after } of changes) if (isFile(before) && !isFile(after)) emptied.add(parentOf(path));
  return (path) => emptied.has(path);
}

/** An empty directory holds nobody's data. */
export function isEmptyDirectory(before: Change["before"], after: Change["after"]): boolean {
  return !isFile(before) && !isFile(after);
}

export function isFile(state: Change["before"]): boolean {
  return state?.kind === "file" || state?.kind === "link";
}

interface Written {
  /** Whether this thread's last change of the file was found: older changes do not matter. */
  readonly own: boolean;
  /** The combined change of the file by others since then. */
  readonly others: { readonly before: Change["before"]; readonly after: Change["after"] } | undefined;
}
