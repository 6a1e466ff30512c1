import { existsSync } from "node:fs";
import type { Take } from "@retake/core";
import type { ThreadSummary } from "@retake/runtime";
import { action as placeThread } from "@retake/runtime/actions/place-thread";
import { action as switchTake } from "@retake/runtime/actions/switch-take";
import { action as switchThread } from "@retake/runtime/actions/switch-thread";
import { act } from "../act.ts";
import { actResolving } from "../act-resolving.ts";
import { sayChanged } from "../changed.ts";
import { type Call, type Command, notFound } from "../command.ts";
import { CONFLICT_OPTIONS, conflictOptions } from "../conflict-options.ts";
import { find } from "../find.ts";
import { plural } from "../output.ts";
import { typedName } from "../typed-name.ts";

export const command: Command = {
  name: "switch",
  group: "takes",
  summary: "Go to another take, with its files, or to another thread",
  usage: "<take|thread>",
  most: 1,
  places: ["thread-or-take"],
  options: CONFLICT_OPTIONS,
  details: [
    "A thread from another machine whose workspace is not on this one: retake switch <id> in an empty directory writes its files there, and the thread goes on in it.",
  ],
  examples: [
    ["retake switch main_take_1", "go to a take"],
    ["retake switch scratch", "go to another thread"],
  ],
  async run(call) {
    const { args, runtime, workspace } = call;
    // An id names a thread of any workspace, also where this one has no thread yet.
    const thread = args[0] === undefined ? undefined : runtime.store.thread(args[0]);
    if (thread && thread.workspace_root !== workspace.root) return fromElsewhere(call, thread);
    const found = find.threadOrTake(call, args[0]);
    if (found.kind === "take") await toTake(call, found.take);
    else await toThread(call, found.thread);
  },
};

/** A thread whose directory is not on this machine came from another one, and is placed here. */
async function fromElsewhere(call: Call, { id, title, workspace_root: root }: ThreadSummary): Promise<void> {
  const { output, workspace } = call;
  if (existsSync(root)) throw notFound(`${title} is a thread of ${root}. Name that with --workspace.`);
  const placed = await act(call, placeThread, { params: { id }, body: { directory: workspace.root } });
  output.say(placed, () => [
    `${output.style("green", "✓")} ${title} is here now, with ${plural(placed.files, "file")}`,
  ]);
}

async function toTake(call: Call, take: Take): Promise<void> {
  const params = { id: call.thread, take: take.id };
  sayChanged(call, await actResolving(call, switchTake, { params, body: conflictOptions(call) }));
}

async function toThread(call: Call, { id, title }: ThreadSummary): Promise<void> {
  const { output, options } = call;
  const body = { dry_run: options["dry-run"] === true };
  const answer = await act(call, switchThread, { params: { id }, body });
  output.say(answer, () => {
    const { before } = answer;
    if (before?.id === id) return [`${title} is active already.`];
    return [
      `${output.style("green", "✓")} Switch to ${title}`,
      ...(before ? [output.hint(`Take this back: retake switch ${typedName(before.name)}`)] : []),
    ];
  });
}
