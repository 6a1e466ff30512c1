import { changeThread, deleteTake, isRefusal, refuse, type Take } from "@retake/core";
import type { ThreadSummary } from "@retake/runtime";
import { sayChanged, sayChangedWithFiles } from "../changed.ts";
import type { Call, Command } from "../command.ts";
import { CONFLICT_OPTIONS, CONFLICT_USAGE, conflictOptions } from "../conflict-options.ts";
import { findThreadOrTake } from "../find-thread-or-take.ts";

export const command: Command = {
  name: "delete",
  summary: "Delete a discussion or a take; both can be brought back",
  usage: `<thread|take> ${CONFLICT_USAGE}`,
  most: 1,
  options: CONFLICT_OPTIONS,
  async run(call) {
    const found = findThreadOrTake(call, call.args[0]);
    if (found.kind === "take") await removeTake(call, found.take);
    else if (call.options["dry-run"] === true) sayWouldRemove(call, found.thread);
    else removeThread(call, found.thread);
  },
};

async function removeTake(call: Call, take: Take): Promise<void> {
  const done = await call.retake.changeWithFiles(
    call.thread,
    ({ state }, context) => deleteTake(state, context, { take: take.id }),
    conflictOptions(call),
  );
  sayChangedWithFiles(call, done);
}

/** D5: never the last one; when the current one goes, the first by name takes its place. */
function removeThread(call: Call, thread: ThreadSummary): void {
  const { retake } = call;
  const current = retake.currentThread()?.id;
  const done = retake.change(thread.id, (state, context) => {
    if (others(call, thread).length === 0)
      return refuse(
        "last-take",
        `${thread.title} is the only discussion left and cannot be deleted. Nothing was changed.`,
      );
    return changeThread(state, context, { facts: { deleted: true } });
  });
  // Deleting is a change too: without a choice another thread than the current one could be the most recent.
  const next = current === thread.id ? others(call, thread)[0]?.id : current;
  if (!isRefusal(done) && next !== undefined) retake.chooseThread(next);
  sayChanged({ ...call, thread: thread.id, options: { ...call.options, thread: thread.id } }, done, {
    answer: () => ({ thread: thread.id }),
  });
}

function sayWouldRemove({ output }: Call, { id, title, version }: ThreadSummary): void {
  output.say({ op_id: null, version, thread: id }, () => [`· Would delete ${title}; nothing was changed`]);
}

function others({ retake }: Call, thread: ThreadSummary): ThreadSummary[] {
  return retake
    .threads()
    .filter(({ id }) => id !== thread.id)
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}
