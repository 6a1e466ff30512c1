import { isRefusal, type Operation, type Refusal, type State } from "@retake/core";
import { type ChangedWithFiles, type FilesAnswer, filesAnswer } from "@retake/runtime";
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
  if (isRefusal(done)) sayRefusal(call, done);
  else sayDone(call, done, told, null);
}

/** The same for a change that the files followed. */
export function sayChangedWithFiles(call: Call, done: ChangedWithFiles, told: Told = {}): void {
  if (done.kind === "busy") throw new CommandError(EXIT.failed, "busy", done.message);
  if (done.kind === "refused") sayRefusal(call, done);
  else if (done.kind === "done") sayDone(call, done.operation, told, filesAnswer(done.files));
  else sayWouldChange(call, filesAnswer(done.files));
}

function sayDone(call: Call, operation: Operation, told: Told, files: FilesAnswer | null): void {
  call.output.say({ op_id: operation.id, version: versionOf(call), ...answerOf(call, told), ...files }, () => [
    `${call.output.style("green", "✓")} ${operation.description}`,
    ...(told.lines ?? []),
    ...(files ? fileLines(call, files) : []),
    takeBackHint(call, operation),
  ]);
}

function sayWouldChange(call: Call, files: FilesAnswer): void {
  if (files.conflicts.length > 0) throw conflictError(files);
  call.output.say({ op_id: null, version: versionOf(call), ...files }, () => [
    `· Would change ${plural(files.files_reverted.length, "file")}; nothing was changed`,
    ...fileLines(call, files),
  ]);
}

/** That it is like that already is no failure: what was asked for is so. */
function sayRefusal(call: Call, refusal: Refusal): void {
  if (refusal.code !== "nothing-to-do") throw refused(refusal);
  call.output.say({ op_id: null, version: versionOf(call), message: refusal.message }, () => [refusal.message]);
}

function answerOf(call: Call, { answer }: Told): object {
  return answer ? call.retake.read(call.thread, ({ state }) => answer(state)) : {};
}

/** A note of the user's edits may stand behind the operation, so the thread is asked. */
function versionOf(call: Call): number {
  return call.retake.read(call.thread, ({ state }) => state.version);
}
