import type { Operation } from "@retake/core";
import {
  type ApplyReport,
  type CaptureProgress,
  dryRun,
  type RestoreContext,
  type RestorePlan,
  type RestoreProgress,
  type RestoreRequest,
  restoreFiles,
  type TaskOptions,
  type Transition,
} from "@retake/workspace";

/**
 * Puts the files back, if there are any to put back, and commits with them. Answers when they are in place. Nobody has to
 * wait until they are flushed: from the commit on, what a power loss takes is put again. The lock is kept until then.
 */
export async function restoreWithCommit(
  context: RestoreContext,
  wanted: Wanted,
  { signal, onProgress }: Watched,
  commit: (files: RestorePlan | null) => Operation,
): Promise<Done | { kind: "conflicts"; files: RestorePlan }> {
  if (wanted.transitions.length === 0) {
    const operation = context.database.transaction(() => commit(null));
    return { kind: "done", operation, files: null, report: { displaced: [], blocked: [] } };
  }
  const result = await restoreFiles(context, wanted, commit, {
    signal,
    onProgress: (progress) => onProgress?.({ what: "restore", ...progress }),
  });
  if (result.kind === "refused") return { kind: "conflicts", files: result.plan };
  context.lock.keepFor(result.flushed);
  const { plan, committed, displaced, blocked } = result;
  return { kind: "done", operation: committed, files: plan, report: { displaced, blocked } };
}

/** What it would come to. Changes nothing. */
export function preview(context: RestoreContext, wanted: Wanted): RestorePlan | null {
  return wanted.transitions.length === 0 ? null : dryRun(context.root, context.objects, wanted);
}

type Wanted = RestoreRequest & { readonly transitions: readonly Transition[] };

/** Whoever waits hears how far it is, and can end it as long as nothing is committed. */
export interface Watched {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: FilesProgress) => void) | undefined;
}

export type FilesProgress =
  | ({ readonly what: "capture" } & CaptureProgress)
  | ({ readonly what: "restore" } & RestoreProgress);

export interface Done {
  readonly kind: "done";
  readonly operation: Operation;
  readonly files: RestorePlan | null;
  readonly report: ApplyReport;
}

/** Of the capture that comes first. */
export function capturing({ signal, onProgress }: Watched): TaskOptions {
  return { signal, onProgress: (progress) => onProgress?.({ what: "capture", ...progress }) };
}
