import { action as removeFromSync } from "@retake/runtime/actions/remove-from-sync";
import { act } from "./act.ts";
import { askYes } from "./ask-yes.ts";
import { type Call, wrongUsage } from "./command.ts";
import { find } from "./find.ts";
import { plural } from "./output.ts";

/** `retake sync remove`. */
export async function syncRemove(call: Call, [name]: readonly string[]): Promise<void> {
  // Nothing brings it back to the server, so it is not done to the current thread by default.
  if (name === undefined) throw wrongUsage("Name the thread: retake sync remove <thread>");
  const { id, title } = find.thread(call.workspace, name);
  const about = `${title} is removed from the server for good, with its shared links. It stays on the machines that have it, and is not synced between them any more.`;
  const next = `To do it: retake sync remove ${name} --yes`;
  if (call.options["yes"] !== true) await askYes(call, { about, question: "Remove it?", next });
  const answer = await act(call, removeFromSync, { params: { id } });
  call.output.say(answer, () => [
    `✓ ${title} is not on the server any more for any machine, and is still here.`,
    `The server deletes its copy after ${plural(answer.retention_days, "day")}; it cannot read it.`,
  ]);
}
