import { returnedPrompt, type TakenBack, type TakenBackAnswer, takenBackOutcome } from "@retake/runtime";
import { type Call, CommandError, EXIT, refused } from "./command.ts";
import { conflictError, fileLines } from "./file-lines.ts";
import { plural } from "./output.ts";
import { stayingLines } from "./receipt-lines.ts";
import { takeBackHint } from "./take-back-hint.ts";

/** Tells what an undo, redo, revert or jump did, or would do, and how to take that back. */
export function sayTakenBack(call: Call, taken: TakenBack): void {
  const outcome = takenBackOutcome(call.workspace.store, call.thread, taken);
  if (outcome.kind === "conflicts") throw conflictError(outcome.answer);
  if (outcome.kind === "busy") throw new CommandError(EXIT.failed, "busy", outcome.message);
  if (outcome.kind === "refused") throw refused(outcome);
  const { answer } = outcome;
  call.output.say(answer, () =>
    answer.message === undefined ? lines(call, answer, taken) : [answer.message, ...fileLines(call, answer)],
  );
}

function* lines(call: Call, answer: TakenBackAnswer, taken: TakenBack): Iterable<string> {
  const { output } = call;
  if (taken.kind === "done" || taken.kind === "would-do") {
    const { description } = taken.plan;
    yield taken.kind === "done"
      ? `${output.style("green", "✓")} ${description}`
      : `· Dry run, nothing was changed: ${description}`;
  }
  const counted = counts(answer);
  if (counted.length > 0) yield `  ${counted.join(", ")}`;
  yield* fileLines(call, answer);
  const { effects = [], uncovered = [] } = answer.receipt ?? {};
  const how = answer.op_id === null ? "cannot be taken back" : "was not taken back";
  for (const line of stayingLines(output, { effects, uncovered }, how)) yield `  ${line}`;
  const done = taken.kind === "done" ? taken.operation : undefined;
  const draft = done?.kind === "undone" ? returnedPrompt(call.workspace.store, answer) : undefined;
  if (draft !== undefined) yield `  The prompt is your draft again: ${JSON.stringify(draft)}`;
  if (taken.kind === "done") yield takeBackHint(call, taken.operation);
}

function counts(answer: TakenBackAnswer): string[] {
  return [
    ...(answer.turns_undone > 0 ? [plural(answer.turns_undone, "turn")] : []),
    ...(answer.messages_removed > 0 ? [plural(answer.messages_removed, "message")] : []),
    ...(answer.files_reverted.length > 0 ? [plural(answer.files_reverted.length, "file")] : []),
  ];
}
