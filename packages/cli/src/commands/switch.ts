import type { Take } from "@retake/core";
import { type ThreadSummary, threadJson, threadNames } from "@retake/runtime";
import { action as switchTake } from "@retake/runtime/actions/switch-take";
import { actResolving } from "../act-resolving.ts";
import { sayChanged } from "../changed.ts";
import { type Call, type Command, notFound } from "../command.ts";
import { CONFLICT_OPTIONS, conflictOptions } from "../conflict-options.ts";
import { find } from "../find.ts";
import { typedName } from "../typed-name.ts";

export const command: Command = {
  name: "switch",
  group: "takes",
  summary: "Go to another take, with its files, or to another thread",
  usage: "<take|thread>",
  most: 1,
  places: ["thread-or-take"],
  options: CONFLICT_OPTIONS,
  examples: [
    ["retake switch main_take_1", "go to a take"],
    ["retake switch scratch", "go to another thread"],
  ],
  async run(call) {
    const found = find.threadOrTake(call, call.args[0]);
    if (found.kind === "take") await toTake(call, found.take);
    else toThread(call, found.thread);
  },
};

async function toTake(call: Call, take: Take): Promise<void> {
  const params = { id: call.thread, take: take.id };
  sayChanged(call, await actResolving(call, switchTake, { params, body: conflictOptions(call) }));
}

/** The threads of a workspace share its files, so nothing changes but which thread commands act on. */
function toThread(call: Call, thread: ThreadSummary): void {
  const { workspace, output } = call;
  if (thread.deleted)
    throw notFound(`${thread.title} is deleted. Bring it back: retake undo --step --thread ${thread.id}`);
  if (thread.workspace_root !== workspace.root)
    throw notFound(`${thread.title} is a thread of ${thread.workspace_root}. Name that with --workspace.`);
  const before = workspace.currentThread();
  const nameOf = threadNames(workspace, thread.id);
  if (call.options["dry-run"] !== true) workspace.store.chooseThread(workspace.root, thread.id);
  const answer = { op_id: null, version: thread.version, thread: threadJson(thread, thread.id) };
  output.say(answer, () => {
    if (before?.id === thread.id) return [`${thread.title} is active already.`];
    return [
      `${output.style("green", "✓")} Switch to ${thread.title}`,
      ...(before ? [output.hint(`Take this back: retake switch ${typedName(nameOf(before))}`)] : []),
    ];
  });
}
