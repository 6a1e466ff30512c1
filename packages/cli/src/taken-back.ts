import { activeTake, setting } from "@retake/core";
import { showPath, type TakenBack } from "@retake/runtime";
import { type Call, CommandError, EXIT, refused } from "./command.ts";
import { conflictError, fileLines, filesAnswer } from "./files-answer.ts";
import { plural } from "./output.ts";
import { takeBackHint } from "./take-back-hint.ts";

/**
 * Tells what an undo, redo, revert or jump did, or would do, and how to take that back.
 *
 * Several are told of as one: behind a branch or a switch another take is active, and what remained of
 * an undo was carried out there. Only the last can have failed, and what came before it stays done.
 */
export function sayTakenBack(call: Call, ...all: readonly TakenBack[]): void {
  const answers = all.flatMap((each) => ("plan" in each && each.kind !== "conflicts" ? [answerOf(call, each)] : []));
  const [first, ...others] = answers;
  const answer = first && others.reduce(together, first);
  if (answer) call.output.say(answer, () => lines(call, answer, all));
  else sayNothingDone(call, all.at(-1));
}

function sayNothingDone(call: Call, done: TakenBack | undefined): void {
  if (!done || done.kind === "done" || done.kind === "would-do") return;
  if (done.kind === "conflicts") throw conflictError(answerOf(call, done));
  if (done.kind === "busy") throw new CommandError(EXIT.failed, "busy", done.message);
  if (done.kind === "refused" && done.code !== "nothing-to-do") throw refused(done);
  const version = call.retake.read(call.thread, ({ state }) => state.version);
  call.output.say({ ...NOTHING, version, thread: call.thread, message: done.message }, () => [done.message]);
}

const NOTHING = {
  ...{ op_id: null, turns_undone: 0, messages_removed: 0, files_reverted: [], files_kept: [], conflicts: [] },
  ...{ snapshot_restored: null, original_user_text: null, receipt: null },
};

type Answer = ReturnType<typeof answerOf>;

function answerOf(call: Call, done: Extract<TakenBack, { plan: unknown }>) {
  const { plan } = done;
  const files = filesAnswer(done.files);
  const records =
    plan.kind === "plan" ? plan.conflicts.map(({ record, kind }) => ({ path: record, kind: kind as string })) : [];
  return {
    op_id: done.kind === "done" ? done.operation.id : null,
    version: done.kind === "done" ? done.operation.version : plan.version,
    turns_undone: plan.kind === "plan" ? plan.turns_undone : 0,
    messages_removed: plan.kind === "plan" ? plan.messages_removed : 0,
    ...files,
    conflicts: [...records, ...files.conflicts],
    snapshot_restored: plan.kind === "plan" ? (plan.files.at(-1)?.before ?? null) : plan.files.after,
    original_user_text: plan.kind === "plan" ? plan.original_user_text : null,
    receipt:
      done.kind === "done" ? { displaced: done.report.displaced, blocked: done.report.blocked.map(showPath) } : null,
    thread: call.thread,
  };
}

function together(before: Answer, after: Answer): Answer {
  return {
    ...after,
    turns_undone: before.turns_undone + after.turns_undone,
    messages_removed: before.messages_removed + after.messages_removed,
    files_reverted: [...new Set([...before.files_reverted, ...after.files_reverted])],
    files_kept: [...before.files_kept, ...after.files_kept],
    snapshot_restored: after.snapshot_restored ?? before.snapshot_restored,
    original_user_text: after.original_user_text ?? before.original_user_text,
    receipt:
      before.receipt && after.receipt
        ? {
            displaced: [...before.receipt.displaced, ...after.receipt.displaced],
            blocked: [...before.receipt.blocked, ...after.receipt.blocked],
          }
        : after.receipt,
  };
}

function* lines(call: Call, answer: Answer, all: readonly TakenBack[]): Iterable<string> {
  const { output } = call;
  for (const each of all) {
    if (each.kind === "done") yield `${output.style("green", "✓")} ${each.operation.description}`;
    if (each.kind === "would-do") yield `· Dry run, nothing was changed: ${each.plan.description}`;
  }
  const counted = counts(answer);
  if (counted.length > 0) yield `  ${counted.join(", ")}`;
  yield* fileLines(call, answer);
  const last = all.findLast((each) => each.kind === "done");
  const draft = last?.operation.kind === "undone" ? returnedPrompt(call, answer) : undefined;
  if (draft !== undefined) yield `  The prompt is your draft again: ${draft}`;
  if (last) yield takeBackHint(call, last.operation);
  const failed = all.at(-1);
  if (failed && "message" in failed) yield `  The rest stayed as it is: ${failed.message}`;
  if (failed?.kind === "conflicts")
    yield `  The rest stayed as it is: ${conflictError(answerOf(call, failed)).message}`;
}

/** U3: the prompt comes back as the draft, unless it was kept or the user has begun another one. */
function returnedPrompt({ retake, thread }: Call, { original_user_text: text }: Answer): string | undefined {
  const draft = retake.read(thread, ({ state }) => setting(state, activeTake(state), "draft"));
  return text !== null && text !== "" && draft === text ? JSON.stringify(text) : undefined;
}

function counts(answer: Answer): string[] {
  return [
    ...(answer.turns_undone > 0 ? [plural(answer.turns_undone, "turn")] : []),
    ...(answer.messages_removed > 0 ? [plural(answer.messages_removed, "message")] : []),
    ...(answer.files_reverted.length > 0 ? [plural(answer.files_reverted.length, "file")] : []),
  ];
}
