import { conflictMessage, type FilesAnswer } from "@retake/runtime";
import { type Call, CommandError, EXIT } from "./command.ts";

/** What happened to the files, for a person. */
export function* fileLines({ output }: Call, answer: FilesAnswer): Iterable<string> {
  const deleted = new Set(answer.files_deleted);
  for (const path of answer.files_reverted)
    yield `  ${output.style("dim", deleted.has(path) ? "removed " : "restored")} ${path}`;
  for (const { path, reason } of answer.files_kept) yield `  ${output.style("yellow", "kept")}     ${path} (${reason})`;
}

export function conflictError(answer: FilesAnswer): CommandError {
  return new CommandError(
    EXIT.conflicts,
    "conflict",
    `${conflictMessage(answer)} Name a policy: --on-conflict keep, merge or overwrite.`,
    answer,
  );
}
