import { conflictMessage, type FilesAnswer } from "@retake/runtime";
import { type Call, CommandError, EXIT } from "./command.ts";

/** A screen's worth: whoever wants thousands has `--json`. */
const MOST_NAMED = 20;

/** What happened to the files, for a person. Those that were kept are all named: they are not as one may think. */
export function* fileLines({ output }: Pick<Call, "output">, answer: FilesAnswer): Iterable<string> {
  const deleted = new Set(answer.files_deleted);
  const more = answer.files_reverted.length - MOST_NAMED;
  const named = more > 1 ? answer.files_reverted.slice(0, MOST_NAMED) : answer.files_reverted;
  for (const path of named) yield `  ${output.style("dim", deleted.has(path) ? "removed " : "restored")} ${path}`;
  if (more > 1) yield output.style("dim", `  … and ${more} more; --json names them all`);
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
