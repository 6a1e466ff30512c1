import { deleteTake, type Take } from "@retake/core";
import { deleteThread, type ThreadSummary } from "@retake/runtime";
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
  const done = await call.workspace.changeWithFiles(
    call.thread,
    ({ state }, context) => deleteTake(state, context, { take: take.id }),
    conflictOptions(call),
  );
  sayChangedWithFiles(call, done);
}

function removeThread(call: Call, thread: ThreadSummary): void {
  const done = deleteThread(call.workspace, thread);
  sayChanged({ ...call, thread: thread.id, options: { ...call.options, thread: thread.id } }, done, {
    answer: () => ({ thread: thread.id }),
  });
}

function sayWouldRemove({ output }: Call, { id, title, version }: ThreadSummary): void {
  output.say({ op_id: null, version, thread: id }, () => [`· Would delete ${title}; nothing was changed`]);
}
