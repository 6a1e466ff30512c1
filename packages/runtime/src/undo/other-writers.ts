import { type BytePath, type Change, parentOf, sameState } from "@retake/workspace";
import type { DiskLog } from "../store/disk-log.ts";
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
 * P4: returns a function that tells whether the user has changed a file since an operation, with no later change by a
 * thread. Restoring an older snapshot would discard such changes. `noted` holds changes found on disk that have no row
 * yet.
 *
 * A thread's note records everything it finds as an outside change, also what another thread wrote; but that has a row
 * of its own, before the note's.
 */
export function userEdits(
  log: DiskLog,
  root: string,
  noted: readonly Change[],
  since: (operation: string) => boolean,
): (path: BytePath) => boolean {
  let edited: Map<BytePath, Edited> | undefined;
  const read = () => {
    const found = new Map<BytePath, Edited>();
    const isEmptied = emptiedDirectories(noted);
    for (const { path, after } of noted) found.set(path, { by: isEmptied(path) ? "thread" : "note", left: after });
    for (const { database, thread, operation, before, after } of log.newestFirst(root)) {
      if (operation === undefined) continue;
      if (!since(operation)) break;
      const changes = keptChanges(database, before, after) ?? [];
      const isEmptied = emptiedDirectories(changes);
      for (const change of changes) {
        const known = found.get(change.path);
        const isOutside = thread === undefined && !isEmptied(change.path);
        if (!known) found.set(change.path, { by: isOutside ? "note" : "thread", left: change.after });
        // The last thread that wrote before the note decides: an older one may have left the same content by chance.
        else if (thread !== undefined && known.by === "note")
          found.set(change.path, { ...known, by: sameState(known.left, change.after) ? "thread" : "user" });
      }
    }
    return found;
  };
  return (path) => {
    edited ??= read();
    const by = edited.get(path)?.by;
    return by === "user" || by === "note";
  };
}

interface Edited {
  /** `note`: found on disk, and no thread is known to have written it. A directory that was emptied is nobody's wish. */
  readonly by: "note" | "thread" | "user";
  readonly left: Change["after"];
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

function isFile(state: Change["before"]): boolean {
  return state?.kind === "file" || state?.kind === "link";
}

interface Written {
  /** Whether this thread's last change of the file was found: older changes do not matter. */
  readonly own: boolean;
  /** The combined change of the file by others since then. */
  readonly others: { readonly before: Change["before"]; readonly after: Change["after"] } | undefined;
}
