/** The commands for one entry. Each is one step, each can be undone, and each says so. */
import type { Entry } from "@retake/core";
import { keep } from "../data/browser-storage.ts";
import { client } from "../data/connection.ts";
import { say } from "../data/notices.ts";
import { Store } from "../data/store.ts";
import { attempt } from "./way-back.ts";

interface Editing {
  readonly entry: string;
  readonly text: string;
  readonly original: string;
}

/** The entry that is edited in place. Its text is kept here until it is saved, also when the row is scrolled away. */
export const editing = new Store<Editing | undefined>(read("retake-editing") as Editing | undefined);
/** Edits that were left and neither saved nor discarded, by entry. */
export const leftEdits = new Store<Readonly<Record<string, Editing>>>(
  (read("retake-left-edits") as Record<string, Editing> | undefined) ?? {},
);
// In the browser's tab, so that a reload loses nothing.
editing.subscribe(() => write("retake-editing", editing.value));
leftEdits.subscribe(() => write("retake-left-edits", leftEdits.value));

/** Opens the editor, with the edit of this entry that was left before. */
export function startEditing({ id, content }: Pick<Entry, "id" | "content">): void {
  if (editing.value?.entry === id) return;
  leaveEditing();
  editing.set(leftEdits.value[id] ?? { entry: id, text: content, original: content });
  discardEdit(id);
}

/** Closes the editor. An edit stays with its entry. Answers whether there was one. */
export function leaveEditing(): boolean {
  const { value } = editing;
  const isEdit = value !== undefined && value.text !== value.original;
  if (isEdit) leftEdits.update((edits) => ({ ...edits, [value.entry]: value }));
  editing.set(undefined);
  return isEdit;
}

export function discardEdit(entry: string): void {
  leftEdits.update(({ [entry]: _, ...others }) => others);
}

/** The edit was saved with this text. Words that were typed meanwhile are the next edit. Answers whether there are none. */
export function endEditing(entry: string, saved: string): boolean {
  const { value } = editing;
  if (leftEdits.value[entry]?.text === saved) discardEdit(entry);
  if (value?.entry !== entry) return true;
  const isDone = value.text === saved;
  editing.set(isDone ? undefined : { ...value, original: saved });
  return isDone;
}

function read(place: string): unknown {
  return JSON.parse(sessionStorage.getItem(place) ?? "null") ?? undefined;
}

function write(place: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(place);
  else keep(sessionStorage, place, JSON.stringify(value));
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
