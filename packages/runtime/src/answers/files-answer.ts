import { type RestorePlan, showPath } from "@retake/workspace";

export interface FilesAnswer {
  readonly files_reverted: readonly string[];
  /** Those of them that are gone by it: what is taken back had made them. */
  readonly files_deleted: readonly string[];
  readonly files_kept: readonly { readonly path: string; readonly reason: string }[];
  /** Where it is not a file, `path` is what the record is called in its take, and `name` what a person calls it. */
  readonly conflicts: readonly { readonly path: string; readonly kind: string; readonly name?: string | undefined }[];
}

/** What happened to the files, or would happen. */
export function filesAnswer(files: RestorePlan | null): FilesAnswer {
  const actions = files?.actions ?? [];
  return {
    files_reverted: actions.map(({ path }) => showPath(path)),
    files_deleted: actions.flatMap(({ path, after }) => (after === undefined ? [showPath(path)] : [])),
    files_kept: (files?.kept ?? []).map(({ path, reason }) => ({ path: showPath(path), reason })),
    conflicts: (files?.conflicts ?? []).map(({ path, kind }) => ({ path: showPath(path), kind })),
  };
}
