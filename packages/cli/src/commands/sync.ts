import { setTimeout as sleep } from "node:timers/promises";
import { action as followSyncLogin } from "@retake/runtime/actions/follow-sync-login";
import { action as getSync } from "@retake/runtime/actions/get-sync";
import { action as linkSyncDevice } from "@retake/runtime/actions/link-sync-device";
import { action as listSyncDevices } from "@retake/runtime/actions/list-sync-devices";
import { action as loginSync } from "@retake/runtime/actions/login-sync";
import { action as logoutSync } from "@retake/runtime/actions/logout-sync";
import { action as recoverSync } from "@retake/runtime/actions/recover-sync";
import { action as revokeSyncDevice } from "@retake/runtime/actions/revoke-sync-device";
import { action as rotateSyncKey } from "@retake/runtime/actions/rotate-sync-key";
import { action as syncNow } from "@retake/runtime/actions/sync-now";
import { act } from "../act.ts";
import { askWordsBack } from "../ask-words-back.ts";
import {
  type Call,
  type Command,
  CommandError,
  EndedWith,
  EXIT,
  notFound,
  textOption,
  wrongUsage,
} from "../command.ts";
import { usageOf } from "../command-usage.ts";
import { CONFLICT_OPTIONS } from "../conflict-options.ts";
import { readText } from "../read-text.ts";
import { syncAccount } from "../sync-account.ts";
import { syncFiles } from "../sync-files.ts";
import { statusLines, wordLines } from "../sync-lines.ts";
import { syncRemove } from "../sync-remove.ts";
import { SHARING } from "../sync-sharing.ts";

export const command: Command = {
  name: "sync",
  group: "setup",
  summary: "Keep threads the same on several machines, over a server that can read none of them",
  usage:
    "[status | now | login <url> [invitation] | link <code> <six words> | recover <url> [words] | devices | revoke <device> | rotate | files [thread] | share [thread] | unshare [thread] | shares | remove <thread> | account [delete] | logout]",
  apart: true,
  options: {
    name: { type: "string", value: "name", about: "how other machines list this one; otherwise its host name" },
    keep: { type: "boolean", about: "with files: go on with the files that are here" },
    ...CONFLICT_OPTIONS,
    yes: { type: "boolean", about: "with remove and account delete: without a question" },
    support: { type: "boolean", about: "with share: for those who run the server, and not by a link" },
  },
  details: [
    "login with an invitation makes a vault and prints its recovery words. Without one it prints a line to run on a machine that syncs already.",
    "now waits until everything is sent and received; the exit code is 1 when something is left. A running retake web or retake serve syncs by itself.",
    "recover joins with the 24 recovery words, also from the standard input (-). rotate gives the vault a new key after a machine was lost: first revoke that machine.",
    "files brings the files of a thread here that other machines have changed, merged with your changes; undo takes that back.",
    "share prints a link with which everybody reads the conversation as it is now, in a browser. The key is in the link, and the server never sees it. unshare ends it.",
    "remove takes one thread from the server, for all machines and for good. It stays on the machines that have it, and is not synced between them any more.",
    "account delete deletes everything of the vault from the server, for all its machines, and keeps the threads that are on them.",
    "Private threads are never sent. A sync never changes files in a workspace.",
  ],
  examples: [
    ["retake sync", "what waits to be sent, and why"],
    ["retake sync status --json", "the same for a program"],
  ],
  async run(call) {
    const [what = "status", ...rest] = call.args;
    const task = TASKS[what];
    if (!task || rest.length > (MOST[what] ?? 0)) throw wrongUsage(`Usage: ${usageOf(command)}`);
    await task(call, rest);
  },
};

type Task = (call: Call, args: readonly string[]) => Promise<void>;

/** How many words each task takes at most. */
const MOST: Readonly<Record<string, number>> = {
  login: 2,
  link: 7,
  recover: 25,
  revoke: 1,
  share: 1,
  unshare: 1,
  remove: 1,
  account: 1,
  files: 1,
};

const TASKS: Readonly<Record<string, Task>> = {
  ...SHARING,
  remove: syncRemove,
  account: syncAccount,
  files: syncFiles,

  async status(call) {
    const status = await act(call, getSync, { params: {} });
    call.output.say(status, () => statusLines(call.output, status));
  },

  async now(call) {
    const status = await act(call, syncNow, { params: {}, body: {} });
    call.output.say(status, () => statusLines(call.output, status));
    // A server that was not reached may have something for this machine.
    if (status.state !== "synced" || status.problem) throw new EndedWith(EXIT.failed);
  },

  async login(call, [url, invitation]) {
    if (url === undefined) throw wrongUsage("Name the server: retake sync login <url>");
    const body = { url, name: textOption(call, "name"), invitation };
    const login = await act(call, loginSync, { params: {}, body });
    if (login.state === "joined") {
      call.output.say(login, () => [
        "✓ This machine syncs now, as the first of a new vault. Its recovery words:",
        ...wordLines(login.words),
        "Write them down: they are not shown again. Whoever has them can read everything; without them and without a linked machine nobody can.",
      ]);
      await askWordsBack(call, login.words);
      if (!call.output.json)
        call.output.line(call.output.hint("retake sync now · on the next machine: retake sync login <url>"));
      return;
    }
    call.output.say(login, () => [
      "On a machine that syncs already, run:",
      `  retake sync link ${login.code} ${login.words}`,
      "This command waits until that is done.",
    ]);
    await followed(call, login.expires_at ?? 0);
  },

  async link(call, [code, ...words]) {
    if (code === undefined || words.length !== 6)
      throw wrongUsage(
        "Type the code and the six words that the new machine shows: retake sync link <code> <six words>",
      );
    const answer = await act(call, linkSyncDevice, { params: {}, body: { code, words: [...words] } });
    call.output.say(answer, () => [`✓ Linked ${answer.name}. It gets all threads of this vault.`]);
  },

  async recover(call, [url, ...words]) {
    if (url === undefined) throw wrongUsage("Name the server: retake sync recover <url>");
    if (words.length === 0)
      throw wrongUsage("Type the 24 recovery words after the address, or - for the standard input. Nothing was done.");
    const typed = words.length > 1 ? words.join(" ") : await readText(call, words[0]);
    const body = { url, name: textOption(call, "name"), words: typed };
    const answer = await act(call, recoverSync, { params: {}, body });
    call.output.say(answer, () => [
      "✓ This machine syncs now, with the vault of these words.",
      call.output.hint("Get its threads: retake sync now"),
    ]);
  },

  async devices(call) {
    const { output } = call;
    const answer = await act(call, listSyncDevices, { params: {} });
    output.say(answer, () =>
      answer.devices.map(({ device, name, own, seen_at, revoked_at }) => {
        const state = revoked_at === undefined ? `seen ${output.ago(seen_at)}` : `revoked ${output.ago(revoked_at)}`;
        return `${name} ${output.style("dim", device)} ${own ? "this machine" : state}`;
      }),
    );
  },

  async revoke(call, [named]) {
    if (named === undefined) throw wrongUsage("Name the device, as retake sync devices lists it.");
    const { devices } = await act(call, listSyncDevices, { params: {} });
    const found = devices.filter(({ device, name }) => device === named || name === named);
    const [device] = found;
    if (!device) throw notFound(`The vault has no device ${named}: retake sync devices lists them.`);
    if (found.length > 1) throw notFound(`${named} is the name of several devices. Use an id of retake sync devices.`);
    await act(call, revokeSyncDevice, { params: { device: device.device } });
    call.output.say({ device: device.device }, () => [
      `✓ ${device.name} is revoked: the server answers it no more.`,
      call.output.hint("If it was lost, give the vault a new key: retake sync rotate"),
    ]);
  },

  async rotate(call) {
    const answer = await act(call, rotateSyncKey, { params: {}, body: {} });
    call.output.say(answer, () => [
      "✓ The vault has a new key. Its new recovery words:",
      ...wordLines(answer.words),
      "Write them down: they are not shown again, and the old ones open nothing any more.",
    ]);
    await askWordsBack(call, answer.words);
  },

  async logout(call) {
    const answer = await act(call, logoutSync, { params: {}, body: {} });
    call.output.say(answer, () => [
      "✓ This machine does not sync any more. Its threads stay here and on the server.",
      ...(answer.told ? [] : ["The server could not be told: revoke this machine on another one."]),
    ]);
  },
};

/** Waits until another machine has linked this one. */
async function followed(call: Call, expires_at: number): Promise<void> {
  const { output, world } = call;
  let pause = FIRST_PAUSE_MS;
  while (world.now() < expires_at) {
    const answer = await act(call, followSyncLogin, { params: {}, body: {} });
    if (answer.state === "joined") {
      output.say(answer, () => ["✓ This machine is linked.", output.hint("Get its threads: retake sync now")]);
      return;
    }
    if (answer.state === "denied")
      throw new CommandError(
        EXIT.failed,
        "denied",
        "The other machine denied the link. This machine does not sync. To ask again: retake sync login <url>",
      );
    await sleep(pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
  throw new CommandError(
    EXIT.failed,
    "expired",
    "No machine has linked this one in time. This machine does not sync. To ask again: retake sync login <url>",
  );
}

/** Often at first, for a user who has both machines at hand. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2000;
