import { action as deleteSyncAccount } from "@retake/runtime/actions/delete-sync-account";
import { action as getSyncAccount } from "@retake/runtime/actions/get-sync-account";
import { act } from "./act.ts";
import { askKey } from "./ask-key.ts";
import { type Call, CommandError, EXIT, wrongUsage } from "./command.ts";
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
  const question = `Everything of this vault is deleted from ${url} for good: ${contents}, all keys and shared links. The threads that are on a machine stay there; those that are on none are lost.`;
  if (call.options["yes"] !== true) await askToDelete(call, question);
  await act(call, deleteSyncAccount, { params: {} });
  output.say({ deleted: true }, () => [
    "✓ The server has nothing of this vault any more. The threads of this machine are still here, and sync is off.",
  ]);
}

async function askToDelete({ output, world }: Call, question: string): Promise<void> {
  if (output.json || !world.terminal)
    throw wrongUsage(`${question} Nothing was deleted. To do it: retake sync account delete --yes`);
  const answer = await askKey(world.terminal, {
    show: () => output.line(question),
    showChoices: () => output.write("Delete it? [y]es, [n]o: "),
    keys: { y: "yes", n: "no" },
    keep: () => {},
  });
  output.line(answer === "yes" ? "yes" : "no");
  if (answer !== "yes") throw new CommandError(EXIT.failed, "denied", "Nothing was deleted.");
}
