import { action as deleteSyncAccount } from "@retake/runtime/actions/delete-sync-account";
import { action as getSyncAccount } from "@retake/runtime/actions/get-sync-account";
import { act } from "./act.ts";
import { askYes } from "./ask-yes.ts";
import { type Call, wrongUsage } from "./command.ts";
import { plural } from "./output.ts";
import { size } from "./size.ts";

/** `retake sync account`, and `retake sync account delete`. */
export async function syncAccount(call: Call, [word]: readonly string[]): Promise<void> {
  if (word !== undefined && word !== "delete") throw wrongUsage("There is retake sync account delete.");
  const { output } = call;
  const account = await act(call, getSyncAccount, { params: {} });
  const { url, vault, threads, devices, used_bytes, quota_bytes } = account;
  const contents = `${plural(threads, "thread")} of ${plural(devices, "machine")}, ${size(used_bytes)}`;
  if (word === undefined) {
    output.say(account, () => [`The vault ${vault} at ${url} has ${contents} of ${size(quota_bytes)}`]);
    return;
  }
  const about = `Everything of this vault is deleted from ${url} for good: ${contents}, all keys and shared links. The threads that are on a machine stay there; those that are on none are lost.`;
  const next = "To do it: retake sync account delete --yes";
  if (call.options["yes"] !== true) await askYes(call, { about, question: "Delete it?", next });
  await act(call, deleteSyncAccount, { params: {} });
  output.say({ deleted: true }, () => [
    "✓ The server has nothing of this vault any more. The threads of this machine are still here, and sync is off.",
  ]);
}
