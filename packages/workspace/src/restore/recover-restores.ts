import type { BytePath } from "../model/model.ts";
import { parentOf } from "../model/path-bytes.ts";
import { type Applied, type ApplyReport, applyActions } from "./apply-actions.ts";
import { bootId } from "./boot-id.ts";
import { Deletions } from "./deletions.ts";
import { Directories } from "./directories.ts";
import { flushRestored } from "./flush-restored.ts";
import { Leftovers } from "./leftovers.ts";
import { removeStage } from "./remove-stage.ts";
import type { RestoreContext } from "./restore-context.ts";
import { notStarted, unfinished } from "./restore-error.ts";
import { RestoreJournal, type Unfinished } from "./restore-journal.ts";
import { leftStages, Stage } from "./stage.ts";

/**
 * After a crash, brings the workspace to the state before or after each restore: completes those that were committed,
 * and removes the stages of those that were not. Running it again changes nothing more.
 */
export async function recoverRestores(context: RestoreContext): Promise<Recovery> {
  const { root, database, lock, tag } = context;
  if (!lock.held) throw new Error("recovery needs the workspace's lock");
  const journal = new RestoreJournal(database);
  const directories = new Directories(root);
  const finished: FinishedRestore[] = [];
  /** Committed restores. Without any, a failure here affects no file of the workspace. */
  let pending = 0;
  try {
    const entries = journal.unfinished(directories.root);
    pending = entries.filter(({ state }) => state !== "staging").length;
    for (const entry of entries) {
      const stage = new Stage(directories, tag, entry.id, entry.homes);
      if (entry.state !== "staging") {
        const { report, changedDirectories } = await applyAgain(context, directories, stage, entry);
        await flushRestored(directories, entry.actions, changedDirectories);
        journal.finish(entry.id);
        pending -= 1;
        finished.push({ id: entry.id, ...report });
      }
      await stage.remove();
      await stage.freed();
      journal.withdraw(entry.id);
    }
    const left = leftStages(directories, tag);
    const deletions = new Deletions();
    for (const path of left) await removeStage(directories, path, deletions);
    await new Leftovers(context.leftovers).clear(deletions);
    await deletions.drained();
    return { finished, stagesRemoved: left.length };
  } catch (cause) {
    throw pending > 0 ? unfinished(cause) : notStarted(cause);
  } finally {
    directories.close();
  }
}

function applyAgain(
  { database, objects }: RestoreContext,
  directories: Directories,
  stage: Stage,
  entry: Unfinished,
): Promise<Applied> | Applied {
  const journal = new RestoreJournal(database);
  const sameBoot = entry.boot === bootId();
  // Only the flush is missing: whatever is at its paths now is newer.
  if (entry.state === "applied" && sameBoot) {
    const report = { displaced: journal.displaced(entry.id), blocked: [] };
    return { report, changedDirectories: parentsOf(entry.actions) };
  }
  const attempt = sameBoot ? "resumed" : "rebooted";
  return applyActions(entry, { directories, stage, database, journal, objects, attempt });
}

function parentsOf(actions: readonly { readonly path: BytePath }[]): Set<BytePath> {
  const parents = new Set<BytePath>([""]);
  for (const { path } of actions) for (let at = parentOf(path); !parents.has(at); at = parentOf(at)) parents.add(at);
  return parents;
}

export interface Recovery {
  readonly finished: readonly FinishedRestore[];
  readonly stagesRemoved: number;
}

export interface FinishedRestore extends ApplyReport {
  readonly id: string;
}
