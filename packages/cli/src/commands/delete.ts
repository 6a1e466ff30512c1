import type { Take } from "@retake/core";
import type { ThreadSummary } from "@retake/runtime";
import { action as deleteTake } from "@retake/runtime/actions/delete-take";
import { action as deleteThread } from "@retake/runtime/actions/delete-thread";
import { act } from "../act.ts";
import { actResolving } from "../act-resolving.ts";
import { sayChanged } from "../changed.ts";
import type { Call, Command } from "../command.ts";
import { CONFLICT_OPTIONS, conflictOptions } from "../conflict-options.ts";
import { find } from "../find.ts";

export const command: Command = {
  name: "delete",
  group: "takes",
  summary: "Delete a take or a thread; both can be brought back",
  usage: "<take|thread>",
  most: 1,
  places: ["thread-or-take"],
  options: CONFLICT_OPTIONS,
  examples: [
    ["retake delete main_take_1", "a take"],
    ["retake delete scratch --dry-run", "see what deleting a thread would do"],
  ],
  async run(call) {
    const found = find.threadOrTake(call, call.args[0]);
    if (found.kind === "take") await removeTake(call, found.take);
    else if (call.options["dry-run"] === true) sayWouldRemove(call, found.thread);
    else await removeThread(call, found.thread);
  },
};

async function removeTake(call: Call, take: Take): Promise<void> {
  const params = { id: call.thread, take: take.id };
  sayChanged(call, await actResolving(call, deleteTake, { params, body: conflictOptions(call) }));
}

async function removeThread(call: Call, { id }: ThreadSummary): Promise<void> {
  const { output, options } = call;
  const answer = await act(call, deleteThread, { params: { id } });
  const shared = `  It is still shared: whoever has the link reads it. End that: retake sync unshare ${id}`;
  sayChanged(
    { output, options: { ...options, thread: id } },
    answer,
    answer.still_shared ? [output.inForm(shared)] : [],
  );
}

function sayWouldRemove({ output }: Call, { id, title, version }: ThreadSummary): void {
  output.say({ op_id: null, version, thread: id }, () => [`· Would delete ${title}; nothing was changed`]);
}
