import { action as bringFiles } from "@retake/runtime/actions/bring-files";
import { action as keepFiles } from "@retake/runtime/actions/keep-files";
import { act } from "./act.ts";
import { actResolving } from "./act-resolving.ts";
import { sayChanged } from "./changed.ts";
import type { Call } from "./command.ts";
import { conflictOptions } from "./conflict-options.ts";
import { find } from "./find.ts";
import { sayTakenBack } from "./taken-back.ts";

/** `retake sync files`: files of a thread that other machines have changed. */
export async function syncFiles(call: Call, [name]: readonly string[]): Promise<void> {
  const { id } = find.thread(call.workspace, name);
  const named = { output: call.output, options: { ...call.options, thread: id } };
  if (call.options["keep"] === true) {
    sayChanged(named, await act(call, keepFiles, { params: { id }, body: {} }));
    return;
  }
  sayTakenBack(named, await actResolving(call, bringFiles, { params: { id }, body: conflictOptions(call) }));
}
