/** The commands for one entry. Each is one step, each can be undone, and each says so. */
import type { Entry } from "@retake/core";
import { client } from "../data/connection.ts";
import { say } from "../data/notices.ts";
import { Store } from "../data/store.ts";
import { attempt } from "./way-back.ts";

interface Editing {
  readonly entry: string;
  readonly text: string;
  readonly original: string;
}

const PLACE = "retake-editing";

/**
 * The entry that is edited in place. Its text is kept here until it is saved, also when the row is scrolled away, and in the
 * browser's tab, so that a reload loses nothing.
 */
export const editing = new Store<Editing | undefined>(JSON.parse(sessionStorage.getItem(PLACE) ?? "null") ?? undefined);
editing.subscribe(() => {
  if (editing.value) sessionStorage.setItem(PLACE, JSON.stringify(editing.value));
  else sessionStorage.removeItem(PLACE);
});

export function startEditing(entry: Pick<Entry, "id" | "content">): void {
  if (editing.value?.entry !== entry.id) editing.set({ entry: entry.id, text: entry.content, original: entry.content });
}

export function removeEntry(thread: string, entry: string): Promise<boolean> {
  return attempt(thread, "Deleted.", () => client.removeEntry(thread, entry));
}

export function changeRole(thread: string, entry: string, role: string): Promise<boolean> {
  return attempt(thread, "Role changed.", () => client.editEntry(thread, entry, { role }));
}

/** `collapsed` and `read_mode` are fields of an entry, so that every screen shows it in the same way. */
export async function toggle(thread: string, entry: Entry, field: "collapsed" | "read_mode"): Promise<void> {
  await attempt(thread, "Changed.", () => client.editEntry(thread, entry.id, { [field]: !entry[field] }));
}

/** A new, empty entry before another, which is then edited in place. */
export async function insertBefore(thread: string, entry: string, role = "User"): Promise<void> {
  await attempt(thread, "Inserted.", async () => {
    const answer = await client.addEntry(thread, { before: entry, role, content: "" });
    if (answer.entry) startEditing(answer.entry as unknown as Entry);
    return answer;
  });
}

export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  say("Copied.");
}

export async function copyLink(thread: string, entry: string): Promise<void> {
  await navigator.clipboard.writeText(`${location.origin}/t/${thread}?entry=${encodeURIComponent(entry)}`);
  say("The link to this entry is copied.");
}
