/**
 * X5: puts another tree of a thread on disk, and keeps there what other threads of the workspace have changed since that
 * tree was last on disk.
 *
 *   disk log   ── wanted tree ── own ── other ── own ── note ── present
 *
 * A file that no other thread has changed since becomes what it is in the wanted tree. In a contested file, this thread's own
 * changes and the user's are taken back one by one, newest first, and the changes of other threads are passed over. So they
 * stay where they merge, and are a conflict where they overlap. A contested file that this thread has not changed is left alone.
 */
import { type BytePath, CaptureLog, type Change, type Database, sameState, type Transition } from "@retake/workspace";
import type { DiskChange, DiskLog } from "../store/disk-log.ts";
import { isEmptyDirectory, otherWriters } from "./other-writers.ts";
import { changeOf, keptChanges, type ThreadFiles } from "./thread-files.ts";

export interface Exchange {
  /** The tree on disk. */
  readonly present: string;
  /** The transitions to reverse on disk, newest first. */
  readonly transitions: readonly Transition[];
  /** The files that other threads have changed since. */
  readonly contested: ReadonlySet<BytePath>;
  /** Those of them that this thread has changed too. */
  readonly shared: ReadonlySet<BytePath>;
  /** The empty directories that other threads have made or removed since. They hold nobody's data, and become what the tree has. */
  readonly directories: ReadonlySet<BytePath>;
  /** The contested files with changes of the user that the thread has not recorded yet. */
  readonly edited: ReadonlySet<BytePath>;
  /** The changes of contested files that this thread has not changed: they stay. */
  readonly leftAlone: readonly Change[];
}

export interface ExchangeRequest {
  readonly database: Database;
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
  const since = wanted !== present && log.hasOthers(root, thread) ? rowsSince(request, wanted) : { rows: [] };
  const { rows } = since;
  const all = files.changes(wanted, present);
  const { files: theirs, directories } = changedByOthers(rows, thread);
  const contested = new Set([...theirs, ...wrongInTree(request, rows, all)]);
  if (contested.size === 0)
    return {
      present,
      transitions: all.length > 0 ? [{ changes: all }] : [],
      contested,
      shared: new Set(),
      directories,
      edited: new Set(),
      leftAlone: [],
    };
  const { own, edited } = ownChanges(request, wanted, since, contested);
  const shared = new Set(own.flat().map(({ path }) => path));
  const changes = [all.filter(({ path }) => !contested.has(path)), ...own];
  return {
    present,
    transitions: changes.filter(({ length }) => length > 0).map((each) => ({ changes: each })),
    contested,
    shared,
    directories,
    edited,
    leftAlone: all.filter(({ path }) => contested.has(path) && !shared.has(path)),
  };
}

/** Whether a tree was on disk right before the present one, and the thread itself made the change from one to the other. */
export function wasLast({ log, root, thread, present }: ExchangeRequest, tree: string): boolean {
  for (const { operation, thread: by, before, after } of log.newestFirst(root))
    if (operation !== undefined) return by === thread && before === tree && after === present;
  return false;
}

/** The thread's operation that put a tree on disk, with the note right after it that says what else was there. */
export function ledTo({ log, root, thread }: ExchangeRequest, tree: string): string | undefined {
  for (const { operation, thread: by, after } of log.newestFirst(root))
    if (by === thread && after === tree) return operation;
  return undefined;
}

/**
 * The rows of the disk log since a tree was last on disk, newest first. A tree that never was, because it was changed while
 * another take was active or on another machine, goes back to one of its thread that was.
 */
export function rowsSince({ log, root, thread, database }: ExchangeRequest, wanted: string): Since {
  const since = rowsUntil(log.newestFirst(root), thread, (tree) => tree === wanted);
  if (since.base !== undefined) return since;
  const trees = new Set(new CaptureLog(database).ancestors(wanted, MOST_ANCESTORS));
  return rowsUntil(since.rows, thread, (tree, isOfThread) => isOfThread && trees.has(tree));
}

interface Since {
  readonly rows: readonly DiskChange[];
  /** The tree on disk before them; undefined where no such tree is known. */
  readonly base?: string;
}

const MOST_ANCESTORS = 10_000;

function rowsUntil(
  all: Iterable<DiskChange>,
  thread: string,
  isBase: (tree: string, isOfThread: boolean) => boolean,
): Since {
  const rows: DiskChange[] = [];
  for (const row of all) {
    const isOfThread = row.owner === thread;
    if (isBase(row.after, isOfThread)) return { rows, base: row.after };
    if (isOfThread && row.operation === undefined) break;
    rows.push(row);
    // The disk is looked at before a thread changes it. A note may include changes of others, made since the row before it.
    if (row.thread !== undefined && isBase(row.before, isOfThread)) return { rows, base: row.before };
  }
  return { rows };
}

/** A change that the other threads have taken back themselves does not count. */
function changedByOthers(rows: readonly DiskChange[], thread: string): Changed {
  const changes = new Map<BytePath, { before: Change["before"]; after: Change["after"] }>();
  const directories = new Set<BytePath>();
  for (const row of rows) {
    if (row.thread === undefined || row.thread === thread || row.operation === undefined) continue;
    for (const { path, before, after } of keptChanges(row.database, row.before, row.after) ?? [])
      if (isEmptyDirectory(before, after)) directories.add(path);
      else changes.set(path, { before, after: (changes.get(path) ?? { after }).after });
  }
  const files = [...changes].flatMap(([path, { before, after }]) => (sameState(before, after) ? [] : [path]));
  return { files, directories };
}

interface Changed {
  readonly files: readonly BytePath[];
  readonly directories: ReadonlySet<BytePath>;
}

/**
 * The files of other threads that differ from the wanted tree although nobody has changed them since it was on disk. Version
 * 0.1.0 left such files alone too, and did not record that the disk had another version than the tree.
 */
function wrongInTree(request: ExchangeRequest, rows: readonly DiskChange[], all: readonly Change[]): BytePath[] {
  const { log, root, files, thread, known, present } = request;
  const byOther = otherWriters(log, root, thread);
  const paths = rows.length === 0 ? [] : all.flatMap(({ path }) => (byOther(path) ? [path] : []));
  if (paths.length === 0) return [];
  const found = rows.map(({ database, before, after }) => keptChanges(database, before, after) ?? []);
  const changed = new Set([files.changes(known, present), ...found].flat().map(({ path }) => path));
  return paths.filter((path) => !changed.has(path));
}

/** The changes of contested files that the thread and the user made, newest first, and last what leads to the wanted tree. */
function ownChanges(
  { files, thread, known, present }: ExchangeRequest,
  wanted: string,
  { rows, base: found }: Since,
  contested: ReadonlySet<BytePath>,
): { readonly own: Change[][]; readonly edited: ReadonlySet<BytePath> } {
  const inContest = (changes: readonly Change[]) => changes.filter(({ path }) => contested.has(path));
  const made: Made[] = [{ by: "user", changes: inContest(files.changes(known, present)) }];
  let base = known;
  let isWhole = true;
  for (const row of rows) {
    if (row.operation === undefined) continue;
    const changes = keptChanges(row.database, row.before, row.after);
    const isOfThread = row.owner === thread;
    // Garbage collection has deleted what came before: the rest of the way is one change.
    isWhole = changes !== undefined || !isOfThread;
    if (!isWhole) break;
    if (isOfThread) base = row.before;
    const by = row.thread === undefined ? "user" : row.thread === thread ? "thread" : "others";
    made.push({ by, changes: inContest(changes ?? []) });
  }
  if (isWhole) base = found ?? base;
  const first = statesAt(inContest(files.changes(base, present)), made);
  const rest = inContest(files.changes(wanted, base));
  const changed = [...made.flatMap(({ by, changes }) => (by === "thread" ? changes : [])), ...rest];
  const touched = new Set(changed.map(({ path }) => path));
  const taken = withoutOthers(made, first);
  const last = made.findIndex(({ by }) => by === "thread");
  const edits = taken.slice(0, last === -1 ? undefined : last).flatMap(({ users }) => users);
  const own = [...taken.flatMap(({ users, own: each }) => [each, users]), rest];
  return {
    own: own.map((changes) => changes.filter(({ path }) => touched.has(path))),
    edited: new Set(edits.map(({ path }) => path)),
  };
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
function withoutOthers(made: readonly Made[], first: States): { users: Change[]; own: Change[] }[] {
  const states = new Map(first);
  const kept = made.toReversed().map(({ by, changes }) => {
    const [users, own]: [Change[], Change[]] = [[], []];
    for (const { path, before, after } of changes) {
      const found = by === "user" ? after : before;
      users.push(...changed(path, states.get(path), found));
      if (by === "thread") own.push(...changed(path, before, after));
      states.set(path, after);
    }
    return { users, own };
  });
  return kept.reverse();
}

function changed(path: BytePath, before: Change["before"], after: Change["after"]): Change[] {
  return sameState(before, after) ? [] : [changeOf(path, before, after)];
}
