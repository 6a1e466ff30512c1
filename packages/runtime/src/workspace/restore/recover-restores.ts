import { RestoreJournal } from "../../store/restore-journal.ts";
import { type ApplyReport, applyActions } from "./apply-actions.ts";
import { bootId } from "./boot-id.ts";
import { Directories } from "./directories.ts";
import { flushRestored } from "./flush-restored.ts";
import type { RestoreContext } from "./restore-context.ts";
import { notStarted, unfinished } from "./restore-error.ts";
import { leftStages, removeStage, Stage } from "./stage.ts";

/**
 * Brings the workspace to before or to after what was going on when a process died: restores that
 * were committed are finished, the stages of those that were not are removed. Done again, it changes
 * nothing more.
 */
export async function recoverRestores(context: RestoreContext): Promise<Recovery> {
  const { root, database, objects, lock, tag } = context;
  if (!lock.held) throw new Error("recovery needs the workspace's lock");
  const journal = new RestoreJournal(database);
  const directories = new Directories(root);
  const finished: FinishedRestore[] = [];
  /** Those that were committed: without any, what goes wrong here has no effect on any file. */
  let pending = 0;
  try {
    const entries = journal.unfinished(directories.root);
    pending = entries.filter(({ state }) => state === "applying").length;
    for (const entry of entries) {
      const stage = new Stage(directories, tag, entry.id, entry.homes);
      if (entry.state === "applying") {
        const attempt = entry.boot === bootId() ? "resumed" : "rebooted";
        const applying = { directories, stage, database, journal, objects, attempt } as const;
        const { report, changedDirectories } = await applyActions(entry, applying);
        await flushRestored(directories, entry.actions, changedDirectories);
        journal.finish(entry.id);
        pending -= 1;
        finished.push({ id: entry.id, ...report });
      }
      stage.remove();
      journal.withdraw(entry.id);
    }
    const left = leftStages(directories, tag);
    for (const path of left) removeStage(directories, path);
    return { finished, stagesRemoved: left.length };
  } catch (cause) {
    throw pending > 0 ? unfinished(cause) : notStarted(cause);
  } finally {
    directories.close();
  }
}

export interface Recovery {
  readonly finished: readonly FinishedRestore[];
  readonly stagesRemoved: number;
}

export interface FinishedRestore extends ApplyReport {
  readonly id: string;
}
