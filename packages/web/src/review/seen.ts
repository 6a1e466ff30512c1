/** The changes that this browser's user has seen in a review. A change that becomes another one is not seen any more. */
import { keep } from "../data/browser-storage.ts";
import { Store } from "../data/store.ts";
import type { DiffedFile } from "./hunks.tsx";

const PLACE = "retake-seen";
/** The newest marks that are kept. */
const MOST = 5000;

export const seenChanges = new Store<ReadonlySet<string>>(read());

export function toggleSeen(file: DiffedFile): void {
  seenChanges.update((before) => {
    const next = new Set(before);
    if (!next.delete(changeKey(file))) next.add(changeKey(file));
    return next;
  });
  keep(localStorage, PLACE, JSON.stringify([...seenChanges.value].slice(-MOST)));
}

/** The path, both contents and both modes. */
export function changeKey({ path, change, old_mode = "", new_mode = "" }: DiffedFile): string {
  return [path, change, old_mode, new_mode].join("\n");
}

function read(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(PLACE) ?? "[]") as string[]);
  } catch {
    return new Set();
  }
}
