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
 *
 * A dry run makes the same plan and the same commit, and rolls that back: whatever would be refused in earnest is refused.
 */
export async function restoreWithCommit(
  context: RestoreContext,
  wanted: TransitionsRequest,
  { dryRun: isDry, signal, onProgress }: RestoreOptions,
  commit: (files: RestorePlan | null) => Operation,
): Promise<Restored> {
  const { database } = context;
  if (isDry) {
    const files = preview(context, wanted);
    if (files?.outcome === "refused") return { kind: "conflicts", files };
    return { kind: "would-do", operation: database.rehearse(() => commit(files)), files };
  }
  if (wanted.transitions.length === 0) {
    requireNoResolution(wanted);
    const operation = database.transaction(() => commit(null));
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

export type Restored =
  | Omit<Done, "putAway">
  | { readonly kind: "would-do"; readonly operation: Operation; readonly files: RestorePlan | null }
  | { readonly kind: "conflicts"; readonly files: RestorePlan };

/** Plans the restore. Changes nothing. */
export function preview(context: RestoreContext, wanted: TransitionsRequest): RestorePlan | null {
  if (wanted.transitions.length > 0) return dryRun(context.root, context.objects, wanted);
  requireNoResolution(wanted);
  return null;
}

function requireNoResolution({ resolutions }: TransitionsRequest): void {
  for (const path of resolutions?.keys() ?? []) throw noConflict(path);
}

interface RestoreOptions extends ProgressOptions {
  readonly dryRun?: boolean;
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
