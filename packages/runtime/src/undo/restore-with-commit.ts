import type { Operation } from "@retake/core";
import {
  type ApplyReport,
  type BytePath,
  type CaptureProgress,
  dryRun,
  noConflict,
  type RestoreContext,
  type RestorePlan,
  type RestoreProgress,
  type RestoreRequest,
  restoreFiles,
  type TaskOptions,
  type Transition,
} from "@retake/workspace";

/**
 * Restores the files, if there are any to restore, and commits in the same transaction. Resolves when the files are in
 * place. The caller need not wait for the flush: after the commit, recovery writes again what a power loss destroys.
 * The lock is kept until the flush is done.
 */
export async function restoreWithCommit(
  context: RestoreContext,
  wanted: TransitionsRequest,
  { signal, onProgress }: ProgressOptions,
  commit: (files: RestorePlan | null) => Operation,
): Promise<Omit<Done, "putAway"> | { kind: "conflicts"; files: RestorePlan }> {
  if (wanted.transitions.length === 0) {
    for (const path of wanted.resolutions?.keys() ?? []) throw noConflict(path);
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

/** Plans the restore. Changes nothing. */
export function preview(context: RestoreContext, wanted: TransitionsRequest): RestorePlan | null {
  if (wanted.transitions.length > 0) return dryRun(context.root, context.objects, wanted);
  for (const path of wanted.resolutions?.keys() ?? []) throw noConflict(path);
  return null;
}

type TransitionsRequest = RestoreRequest & { readonly transitions: readonly Transition[] };

/** Reports progress to the caller, and can be cancelled until the commit. */
export interface ProgressOptions {
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
  /** The user's own edits that went with the take they were made in. */
  readonly putAway: ReadonlySet<BytePath>;
}

/** The options for the capture that comes first. */
export function capturing({ signal, onProgress }: ProgressOptions): TaskOptions {
  return { signal, onProgress: (progress) => onProgress?.({ what: "capture", ...progress }) };
}
