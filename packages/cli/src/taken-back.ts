import { showPath, type TakenBack } from "@retake/runtime";
import { type Call, CommandError, EXIT, refused } from "./command.ts";
import { plural } from "./output.ts";

/** Tells what an undo, redo, revert or jump did, or would do, and how to take that back. */
export function sayTakenBack(call: Call, verb: "Undone" | "Redone" | "Reverted" | "Jumped", done: TakenBack): void {
  if (done.kind === "refused") throw refused(done);
  if (done.kind === "busy") throw new CommandError(EXIT.failed, "busy", done.message);
  if (done.kind === "nothing") {
    call.output.say({ ...EMPTY, message: done.message }, () => [done.message]);
    return;
  }
  const answer = answerOf(call, done);
  if (done.kind === "conflicts") {
    const which = answer.conflicts.map(({ path, kind }) => `${path} (${kind})`).join(", ");
    throw new CommandError(
      EXIT.conflicts,
      "conflict",
      `These were changed since: ${which}. Nothing was changed. Name a policy: --on-conflict keep, merge or overwrite.`,
      answer,
    );
  }
  call.output.say(answer, () =>
    lines(call, done.kind === "would-do" ? `Would be ${verb.toLowerCase()}` : verb, answer, done.kind === "done"),
  );
}

const EMPTY = {
  ...{ op_id: null, turns_undone: 0, messages_removed: 0, files_reverted: [], files_kept: [], conflicts: [] },
  ...{ snapshot_restored: null, original_user_text: null, receipt: null },
};

type Answer = ReturnType<typeof answerOf>;

function answerOf(call: Call, done: Extract<TakenBack, { plan: unknown }>) {
  const { plan, files } = done;
  const fileConflicts = (files?.conflicts ?? []).map(({ path, kind }) => ({
    path: showPath(path),
    kind: kind as string,
  }));
  const recordConflicts =
    plan.kind === "plan" ? plan.conflicts.map(({ record, kind }) => ({ path: record, kind: kind as string })) : [];
  return {
    op_id: done.kind === "done" ? done.operation.id : null,
    version: done.kind === "done" ? done.operation.version : plan.version,
    turns_undone: plan.kind === "plan" ? plan.turns_undone : 0,
    messages_removed: plan.kind === "plan" ? plan.messages_removed : 0,
    files_reverted: (files?.actions ?? []).map(({ path }) => showPath(path)),
    files_kept: (files?.kept ?? []).map(({ path, reason }) => ({ path: showPath(path), reason })),
    conflicts: [...recordConflicts, ...fileConflicts],
    snapshot_restored: plan.kind === "plan" ? (plan.files.at(-1)?.before ?? null) : plan.files.after,
    original_user_text: plan.kind === "plan" ? plan.original_user_text : null,
    receipt:
      done.kind === "done" ? { displaced: done.report.displaced, blocked: done.report.blocked.map(showPath) } : null,
    thread: call.thread,
  };
}

function* lines(call: Call, verb: string, answer: Answer, done: boolean): Iterable<string> {
  const { output } = call;
  const parts = [
    ...(answer.turns_undone > 0 ? [plural(answer.turns_undone, "turn")] : []),
    ...(answer.messages_removed > 0 ? [plural(answer.messages_removed, "message")] : []),
    plural(answer.files_reverted.length, "file"),
  ];
  yield `${output.style("green", done ? "✓" : "·")} ${verb}: ${parts.join(", ")}`;
  for (const path of answer.files_reverted) yield `  ${output.style("dim", "restored")} ${path}`;
  for (const { path, reason } of answer.files_kept) yield `  ${output.style("yellow", "kept")}     ${path} (${reason})`;
  if (answer.original_user_text !== null)
    yield `  The prompt is your draft again: ${JSON.stringify(answer.original_user_text)}`;
  if (done) yield output.style("dim", "  Take this back: retake redo, or see retake history");
}
