/** The commands for a thread as a whole, and for its takes. */
import { client } from "../data/connection.ts";
import { say, sayError } from "../data/notices.ts";
import { messageOf } from "../data/session.ts";
import { readThreads } from "../data/threads.ts";
import { attempt } from "./way-back.ts";

export const truncate = (thread: string, pairs: number) =>
  attempt(thread, "Truncated.", () => client.truncate(thread, { pairs }));
export const compress = (thread: string) => attempt(thread, "Compressed.", () => client.compress(thread, {}));
export const clear = (thread: string) => attempt(thread, "Cleared.", () => client.clear(thread, {}));
export const reset = (thread: string) => attempt(thread, "The thread was reset.", () => client.reset(thread, {}));
export const renameTake = (thread: string, take: string, name: string) =>
  attempt(thread, "Renamed.", () => client.renameTake(thread, take, { name }));
export const promoteTake = (thread: string, take: string, name: string) =>
  attempt(thread, "Promoted.", () => client.promoteTake(thread, take, { name }));
export const renameThread = (thread: string, title: string) =>
  attempt(thread, "Renamed.", () => client.changeThread(thread, { title }));
export const pinThread = (thread: string, pinned: boolean) =>
  attempt(thread, pinned ? "Pinned." : "Not pinned any more.", () => client.changeThread(thread, { pinned }));

/** Ends the turn that runs. Its changes stay until it is undone. */
export async function interrupt(thread: string, turn: string): Promise<void> {
  try {
    await client.interruptTurn(thread, turn, {});
    say("Stopped. What the turn did stays until you undo it.");
  } catch (error) {
    sayError(messageOf(error));
  }
}

let making: Promise<string | undefined> | undefined;

/** Makes a thread and answers its address. A key or a button that is pressed twice makes one. */
export function newThread(): Promise<string | undefined> {
  making ??= makeThread().finally(() => {
    making = undefined;
  });
  return making;
}

async function makeThread(): Promise<string | undefined> {
  try {
    const { thread } = await client.createThread({});
    void readThreads();
    return `/t/${thread.id}`;
  } catch (error) {
    sayError(messageOf(error));
    return undefined;
  }
}

/** Deletes a thread, softly, and answers the one to go to. */
export async function deleteThread(thread: string): Promise<string | undefined> {
  let next: string | undefined;
  await attempt(thread, "The thread was deleted.", async () => {
    const answer = await client.deleteThread(thread);
    next = answer.current === null ? "/" : `/t/${answer.current}`;
    if (answer.still_shared) say(`It is still shared. End that: retake sync unshare ${thread}`);
    return answer;
  });
  void readThreads();
  return next;
}
