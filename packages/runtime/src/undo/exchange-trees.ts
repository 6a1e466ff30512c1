/**
 * X5: puts another tree of a thread on disk, and keeps there what other threads of the workspace have changed since that
 * tree was last on disk.
 *
 *   disk log   ── wanted tree ── own ── other ── own ── note ── present
 *
 * A file that no other thread has changed since becomes what it is in the wanted tree. In a contested file, this thread's own
 * changes and the user's are taken back one by one, newest first, and the changes of other threads are passed over. So they
 * stay where they merge, and are a conflict where they overlap.
 */
import { type BytePath, type Change, sameState, type Transition } from "@retake/workspace";
import type { DiskChange, DiskLog } from "../store/disk-log.ts";
import { isEmptyDirectory } from "./other-writers.ts";
import { keptChanges, type ThreadFiles } from "./thread-files.ts";

export interface Exchange {
  /** The transitions to reverse on disk, newest first. */
  readonly transitions: readonly Transition[];
  /** The files that other threads have changed since. */
  readonly contested: ReadonlySet<BytePath>;
}

export interface ExchangeRequest {
  readonly log: DiskLog;
  readonly root: string;
  readonly files: ThreadFiles;
  readonly thread: string;
  /** The tree that the thread knows, and the tree that is on disk: they differ where something was changed outside. */
  readonly known: string;
  readonly present: string;
}

export function exchangeTrees(request: ExchangeRequest, wanted: string): Exchange {
  const { log, root, files, thread, present } = request;
  const rows = wanted !== present && log.hasOthers(root, thread) ? rowsSince(request, wanted) : [];
  const contested = changedByOthers(rows, thread);
  const all = files.changes(wanted, present);
  if (contested.size === 0) return { transitions: all.length > 0 ? [{ changes: all }] : [], contested };
  const own = ownChanges(request, wanted, rows, contested);
  const changes = [all.filter(({ path }) => !contested.has(path)), ...own];
  return { transitions: changes.filter(({ length }) => length > 0).map((each) => ({ changes: each })), contested };
}

/** The rows of the disk log since a tree was last on disk for its thread, newest first; all, if it never was. */
function rowsSince({ log, root, thread }: ExchangeRequest, wanted: string): DiskChange[] {
  const rows: DiskChange[] = [];
  for (const row of log.newestFirst(root)) {
    const isOfThread = row.owner === thread;
    if (isOfThread && (row.operation === undefined || row.after === wanted)) break;
    rows.push(row);
    // The disk is looked at before a thread changes it. A note may include changes of others, made since the row before it.
    if (isOfThread && row.thread === thread && row.before === wanted) break;
  }
  return rows;
}

function changedByOthers(rows: readonly DiskChange[], thread: string): Set<BytePath> {
  const contested = new Set<BytePath>();
  for (const row of rows) {
    if (row.thread === undefined || row.thread === thread || row.operation === undefined) continue;
    for (const { path, before, after } of keptChanges(row.database, row.before, row.after) ?? [])
      if (!isEmptyDirectory(before, after)) contested.add(path);
  }
  return contested;
}

/** The changes of contested files that the thread and the user made, newest first, and last what leads to the wanted tree. */
function ownChanges(
  { files, thread, known, present }: ExchangeRequest,
  wanted: string,
  rows: readonly DiskChange[],
  contested: ReadonlySet<BytePath>,
): Change[][] {
  const inContest = (changes: readonly Change[]) => changes.filter(({ path }) => contested.has(path));
  const made: Made[] = [{ by: "user", changes: inContest(files.changes(known, present)) }];
  let base = known;
  for (const row of rows) {
    if (row.operation === undefined) continue;
    const changes = keptChanges(row.database, row.before, row.after);
    const isOfThread = row.owner === thread;
    // Garbage collection has deleted what came before: the rest of the way is one change.
    if (isOfThread && !changes) break;
    if (isOfThread) base = row.before;
    const by = row.thread === undefined ? "user" : row.thread === thread ? "thread" : "others";
    made.push({ by, changes: inContest(changes ?? []) });
  }
  const first = statesAt(inContest(files.changes(base, present)), made);
  return [...withoutOthers(made, first), inContest(files.changes(wanted, base))];
}

interface Made {
  readonly by: "others" | "thread" | "user";
  readonly changes: readonly Change[];
}

type States = ReadonlyMap<BytePath, Change["after"]>;

/** The states of all changed files in the tree from which `changes` leads to the present. */
function statesAt(changes: readonly Change[], made: readonly Made[]): States {
  const states = new Map<BytePath, Change["after"]>();
  for (const { changes: each } of made)
    for (const { path, after } of each) if (!states.has(path)) states.set(path, after);
  for (const { path, before } of changes) states.set(path, before);
  return states;
}

/**
 * The user's changes are those between two rows. A note records everything that its thread finds changed, also changes that
 * have rows of their own; and the user may have made a file what a thread knew, so that it noted nothing.
 */
function withoutOthers(made: readonly Made[], first: States): Change[][] {
  const states = new Map(first);
  const kept = made.toReversed().flatMap(({ by, changes }) => {
    const [users, own]: [Change[], Change[]] = [[], []];
    for (const { path, before, after } of changes) {
      const found = by === "user" ? after : before;
      users.push(...changed(path, states.get(path), found));
      if (by === "thread") own.push(...changed(path, before, after));
      states.set(path, after);
    }
    return [users, own];
  });
  return kept.reverse();
}

function changed(path: BytePath, before: Change["before"], after: Change["after"]): Change[] {
  return sameState(before, after) ? [] : [{ path, ...(before && { before }), ...(after && { after }) }];
}
