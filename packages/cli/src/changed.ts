import { isRefusal, type Operation, type Refusal, type State } from "@retake/core";
import {
  type ChangedAnswer,
  type ChangedWithFiles,
  changedOutcome,
  changedWithFilesOutcome,
  type FilesAnswer,
  type Outcome,
} from "@retake/runtime";
import { type Call, CommandError, EXIT, refused } from "./command.ts";
import { conflictError, fileLines } from "./file-lines.ts";
import { plural } from "./output.ts";
import { takeBackHint } from "./take-back-hint.ts";

/** What a command tells of its change, besides the operation. */
export interface Told {
  /** Further fields of the answer, from the state after the change. */
  readonly answer?: (state: State) => object;
  /** Further lines for a person. */
  readonly lines?: readonly string[];
}

/** Tells that an operation was committed and how to take it back, or why it was not. */
export function sayChanged(call: Call, done: Operation | Refusal, told: Told = {}): void {
  const outcome = changedOutcome(call.workspace.store, call.thread, done, told.answer ?? (() => ({})));
  sayOutcome(call, outcome, isRefusal(done) ? undefined : done, told);
}

/** The same for a change that the files followed. */
export function sayChangedWithFiles(call: Call, done: ChangedWithFiles, told: Told = {}): void {
  const outcome = changedWithFilesOutcome(call.workspace.store, call.thread, done, told.answer ?? (() => ({})));
  sayOutcome(call, outcome, done.kind === "done" ? done.operation : undefined, told);
}

function sayOutcome(
  call: Call,
  outcome: Outcome<ChangedAnswer<Partial<FilesAnswer>>>,
  operation: Operation | undefined,
  told: Told,
): void {
  if (outcome.kind === "refused") throw refused(outcome);
  if (outcome.kind === "busy") throw new CommandError(EXIT.failed, "busy", outcome.message);
  if (outcome.kind === "conflicts") throw conflictError(outcome.answer);
  const { answer } = outcome;
  call.output.say(answer, () =>
    answer.message === undefined ? lines(call, filesIn(answer), operation, told) : [answer.message],
  );
}

function* lines(
  call: Call,
  files: FilesAnswer | undefined,
  operation: Operation | undefined,
  told: Told,
): Iterable<string> {
  const { output } = call;
  if (operation) yield `${output.style("green", "✓")} ${operation.description}`;
  else yield `· Would change ${plural(files?.files_reverted.length ?? 0, "file")}; nothing was changed`;
  if (operation) yield* told.lines ?? [];
  if (files) yield* fileLines(call, files);
  if (operation) yield takeBackHint(call, operation);
}

function filesIn(answer: Partial<FilesAnswer>): FilesAnswer | undefined {
  const { files_reverted, files_deleted, files_kept, conflicts } = answer;
  return files_reverted && files_deleted && files_kept && conflicts
    ? { files_reverted, files_deleted, files_kept, conflicts }
    : undefined;
}
