/**
 * Restores files so that a crash at any moment leads to the state before or after, never to one in between.
 *
 *   plan ─▶ preflight ─▶ stage ─▶ COMMIT ─▶ apply ─▶ stage moved out ─▶ flush ─▶ done
 *   └─ a crash here: the stage is deleted ─┘└─────── a crash here: rolled forward ───────┘
 *
 * The commit is one SQLite transaction, flushed: the journal row with the whole plan, the new objects it names, and
 * whatever the caller writes in `commit` (the operation, the head, the outbox). Before it the workspace's files are
 * unchanged; after it they are changed at once, or at the next start (`recoverRestores`).
 *
 * This is a redo log: from the commit on, the plan and the stored objects suffice to restore every file. So the files
 * themselves are flushed last, all together, and the caller need not wait for it: the result is returned when they are
 * in place, and tells when they are flushed. A power loss before that may tear files; recovery recognizes those by
 * their content and writes them again. See docs/restore.md.
 */
import { randomBytes } from "node:crypto";
import type { BytePath, ObjectReader } from "../model/model.ts";
import { type ApplyReport, applyActions } from "./apply-actions.ts";
import { bootId } from "./boot-id.ts";
import { Directories } from "./directories.ts";
import { flushRestored } from "./flush-restored.ts";
import { Leftovers } from "./leftovers.ts";
import { planRestore, type RestorePlan, type RestoreRequest } from "./plan-restore.ts";
import { preflight } from "./preflight.ts";
import { recoverRestores } from "./recover-restores.ts";
import type { RestoreContext } from "./restore-context.ts";
import { notStarted, RestoreError, unfinished } from "./restore-error.ts";
import { type JournalEntry, RestoreJournal } from "./restore-journal.ts";
import { Stage, StageHomes } from "./stage.ts";

export async function restoreFiles<T>(
  context: RestoreContext,
  request: RestoreRequest,
  commit: (plan: RestorePlan) => T,
  watch: RestoreWatch = {},
): Promise<RestoreResult<T>> {
  if (!context.lock.held) throw new Error("a restore needs the workspace's lock");
  await recoverRestores(context);
  requireWanted(watch);
  const directories = new Directories(context.root);
  try {
    const plan = planRestore(directories, context.objects, request);
    if (plan.outcome === "refused") return { kind: "refused", plan };
    preflight(directories, plan.actions);
    if (plan.outcome === "nothing-to-do") {
      return { kind: "restored", plan, committed: context.database.transaction(() => commit(plan)), ...untouched };
    }
    const { entry, committed, bytes } = await stageAndCommit(context, directories, plan, commit, watch);
    return { kind: "restored", plan, committed, ...(await finish(context, entry, bytes, watch)) };
  } finally {
    directories.close();
  }
}

/** Gets progress of a restore and can cancel it until it is committed. After the commit it is always completed. */
export interface RestoreWatch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: RestoreProgress) => void) | undefined;
}

export interface RestoreProgress {
  /** How many files are in place: none before the commit. */
  readonly files: number;
  /** How many bytes of their content are written. */
  readonly bytes: number;
  /** The number of all files. */
  readonly of: number;
}

/** Plans a restore. Changes nothing. */
export function dryRun(root: BytePath, objects: ObjectReader, request: RestoreRequest): RestorePlan {
  const directories = new Directories(root);
  try {
    const plan = planRestore(directories, objects, request);
    if (plan.outcome !== "refused") preflight(directories, plan.actions);
    return plan;
  } finally {
    directories.close();
  }
}

export type RestoreResult<T> =
  | ({ readonly kind: "restored"; readonly plan: RestorePlan; readonly committed: T } & InPlace)
  /** There are conflicts and the policy is `abort`: nothing has changed. */
  | { readonly kind: "refused"; readonly plan: RestorePlan };

/** Every file is in place, and the stage is gone. */
interface InPlace extends ApplyReport {
  /** Resolves when the files are flushed too. When a flush fails, recovery repeats it or reports why it cannot. */
  readonly flushed: Promise<void>;
}

const untouched: InPlace = { displaced: [], blocked: [], flushed: Promise.resolve() };

async function stageAndCommit<T>(
  { database, objects, tag }: RestoreContext,
  directories: Directories,
  plan: RestorePlan,
  commit: (plan: RestorePlan) => T,
  watch: RestoreWatch,
): Promise<{ entry: JournalEntry; committed: T; bytes: number }> {
  const journal = new RestoreJournal(database);
  const id = randomBytes(8).toString("hex");
  const places = new StageHomes(directories);
  const actions = plan.actions.map((action) => ({ ...action, home: places.indexOf(action.path) }));
  const entry: JournalEntry = { id, root: directories.root, homes: places.homes, actions, boot: bootId() };
  const stage = new Stage(directories, tag, id, places.homes);
  // A stage in the root is found by its name; a stage on another file system only if the journal names it.
  const announced = places.homes.some((home) => home !== "");
  try {
    if (announced) journal.announce(entry);
    const bytes = await fillStage(stage, entry, plan, objects, watch);
    requireWanted(watch);
    const committed = database.transaction(() => {
      for (const { content, predecessor } of plan.newContents.values()) objects.write(content, predecessor);
      objects.flush();
      journal.begin(entry);
      return commit(plan);
    });
    return { entry, committed, bytes };
  } catch (cause) {
    try {
      await stage.remove();
      if (announced) journal.withdraw(id);
    } catch {
      // The same failure again. The next recovery removes the stage; the first cause is the one to report.
    }
    throw notStarted(cause);
  }
}

/** Returns the number of written bytes. */
async function fillStage(
  stage: Stage,
  { actions }: JournalEntry,
  plan: RestorePlan,
  objects: ObjectReader,
  watch: RestoreWatch,
): Promise<number> {
  stage.create();
  const wanted = actions.flatMap(({ path, after }) =>
    after && after.kind !== "directory" && !plan.newContents.has(after.hash) ? [{ hash: after.hash, path }] : [],
  );
  const stored = objects.readEach(wanted);
  let bytes = 0;
  for (const [index, { after, home }] of actions.entries()) {
    if (!after || after.kind === "directory") continue;
    const content = plan.newContents.get(after.hash)?.content ?? (stored.next().value as Buffer);
    stage.write(home, index, after, content);
    bytes += content.length;
    if (index % BREATHER !== BREATHER - 1) continue;
    watch.onProgress?.({ files: 0, bytes, of: actions.length });
    await new Promise(setImmediate);
    requireWanted(watch);
  }
  return bytes;
}

function requireWanted({ signal }: RestoreWatch): void {
  if (signal?.aborted)
    throw new RestoreError("cancelled", "The restore was cancelled before anything was changed. No file was changed.");
}

/**
 * After the commit a restore can only be completed. A failure may be temporary, so it is tried once more, as the next
 * start would: if that works, the caller gets a success.
 */
async function finish(
  context: RestoreContext,
  entry: JournalEntry,
  bytes: number,
  { onProgress }: RestoreWatch,
): Promise<InPlace> {
  const { database, objects, tag, root } = context;
  const journal = new RestoreJournal(database);
  const onPut = (files: number) => onProgress?.({ files, bytes, of: entry.actions.length });
  let opened: Directories | undefined;
  let known: ApplyReport | undefined;
  try {
    // Opened again: directories that the plan had open may have been moved.
    const directories = new Directories(root);
    opened = directories;
    const stage = new Stage(directories, tag, entry.id, entry.homes);
    const applying = { directories, stage, database, journal, objects, attempt: "first", onPut } as const;
    const { report, changedDirectories } = await applyActions(entry, applying);
    known = report;
    journal.applied(entry.id);
    await stage.moveTo(new Leftovers(context.leftovers));
    const flush = async () => {
      await flushRestored(directories, entry.actions, changedDirectories);
      journal.finish(entry.id);
      await stage.freed();
    };
    const again = () => recoverRestores(context).then(() => undefined);
    return {
      ...report,
      flushed: flush()
        .catch(again)
        .finally(() => directories.close()),
    };
  } catch {
    opened?.close();
    const { finished } = await recoverRestores(context).catch((cause) => {
      throw unfinished(cause);
    });
    return { ...untouched, ...(known ?? finished.find(({ id }) => id === entry.id)) };
  }
}

/** How many files are staged before other work gets a turn on the event loop. */
const BREATHER = 64;
