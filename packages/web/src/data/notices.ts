import { Store } from "./store.ts";

export interface Notice {
  readonly id: number;
  readonly text: string;
  /** Errors are read out at once. */
  readonly tone: "done" | "error";
  /** The way back, or on: a button of the notice. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

export const notices = new Store<readonly Notice[]>([]);
/** One sentence for screen readers: `Answering`, `Undone: 1 turn, 2 files`. */
export const status = new Store("");

let count = 0;

/** Says what happened, in one sentence, with the way back where there is one. */
export function say(text: string, action?: Notice["action"]): void {
  add({ text, tone: "done", ...(action ? { action } : {}) });
  status.set(text);
}

/** Says why something was not done. Show it where it was asked, too, where there is such a place. */
export function sayError(text: string): void {
  add({ text, tone: "error" });
}

export function dismiss(id: number): void {
  notices.update((list) => list.filter((each) => each.id !== id));
}

function add(notice: Omit<Notice, "id">): void {
  count += 1;
  const id = count;
  notices.update((list) => [...list.slice(-2), { ...notice, id }]);
}
