import { type RestorePlan, showPath } from "@retake/runtime";
import { type Call, CommandError, EXIT } from "./command.ts";

/** What happened to the files, for other programs. */
export function filesAnswer(files: RestorePlan | null): FilesAnswer {
  return {
    files_reverted: (files?.actions ?? []).map(({ path }) => showPath(path)),
    files_kept: (files?.kept ?? []).map(({ path, reason }) => ({ path: showPath(path), reason })),
    conflicts: (files?.conflicts ?? []).map(({ path, kind }) => ({ path: showPath(path), kind })),
  };
}

export interface FilesAnswer {
  readonly files_reverted: readonly string[];
  readonly files_kept: readonly { readonly path: string; readonly reason: string }[];
  readonly conflicts: readonly { readonly path: string; readonly kind: string }[];
}

/** The same for a person. */
export function* fileLines({ output }: Call, answer: FilesAnswer): Iterable<string> {
  for (const path of answer.files_reverted) yield `  ${output.style("dim", "restored")} ${path}`;
  for (const { path, reason } of answer.files_kept) yield `  ${output.style("yellow", "kept")}     ${path} (${reason})`;
}

export function conflictError(answer: FilesAnswer): CommandError {
  const which = answer.conflicts.map(({ path, kind }) => `${path} (${kind})`).join(", ");
  return new CommandError(
    EXIT.conflicts,
    "conflict",
    `These were changed since: ${which}. Nothing was changed. Name a policy: --on-conflict keep, merge or overwrite.`,
    answer,
  );
}
