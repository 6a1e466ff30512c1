/** The state of this screen alone, in no thread (S5): open panels, the focused row, folds. Kept in the browser. */
import { keep } from "./browser-storage.ts";
import { Store } from "./store.ts";

/** From here on there is room for the sidebar and the inspector beside the conversation; see layout.css. */
const WIDE = matchMedia("(width >= 1100px)");
/** Up to here there is room for one of them at a time. */
const NARROW = matchMedia("(width < 700px)");

export type Tab = "changes" | "history" | "takes" | "context" | "settings" | "entry";

export const TABS: readonly { readonly id: Tab; readonly title: string }[] = [
  { id: "changes", title: "Changes" },
  { id: "history", title: "History" },
  { id: "takes", title: "Takes" },
  { id: "context", title: "Context" },
  { id: "settings", title: "Settings" },
  { id: "entry", title: "Entry" },
];

/** The thing that keys and panels act on. A row's key is `turn:…`, `call:…` or an entry's id; see `rowsOf`. */
export interface Focus {
  readonly row: string;
  readonly kind: "turn" | "entry" | "call";
  /** The turn that the row belongs to. */
  readonly turn?: string | undefined;
  /** The entry, or the entry of a call's result. */
  readonly entry?: string | undefined;
  /** `#7`, `#7.2`, `#7.2.1`: taken by every route. */
  readonly name: string;
}

export const focusStore = new Store<Focus | undefined>(undefined);
export const tabStore = new Store<Tab>((localStorage.getItem("retake-tab") as Tab | null) ?? "changes");
export const panels = new Store(readPanels());
/** Whether the two sides of a diff stand beside each other. */
export const splitStore = new Store(localStorage.getItem("retake-split") === "true");
export const themeStore = new Store<Theme>((localStorage.getItem("retake-theme") as Theme | null) ?? "system");

export type Theme = "system" | "light" | "dark" | "contrast";

interface Panels {
  readonly sidebar: boolean;
  readonly inspector: boolean;
  readonly width: number;
}

/** Opens a tab of the inspector. */
export function showTab(tab: Tab): void {
  keep(localStorage, "retake-tab", tab);
  tabStore.set(tab);
  changePanels({ inspector: true });
}

/** On a narrow screen the inspector covers the conversation: it goes when something is shown there. */
export function uncoverCentre(): void {
  if (NARROW.matches) changePanels({ inspector: false });
}

/** On a narrow screen panels cover each other, and are open for a moment only: they are not kept. */
export function changePanels(change: Partial<Panels>): void {
  const next = { ...panels.value, ...change };
  panels.set(next);
  if (WIDE.matches) keep(localStorage, "retake-panels", JSON.stringify(next));
}

for (const width of [WIDE, NARROW]) width.addEventListener("change", () => panels.set(readPanels()));

export function toggleSplit(): void {
  splitStore.update((before) => !before);
  keep(localStorage, "retake-split", String(splitStore.value));
}

/** How this browser asks and sends. */
export interface Habits {
  /** When an undo is shown before it is done; conflicts are shown in any case. */
  readonly preview: "always" | "when-needed" | "never";
  /** The key that sends a prompt. */
  readonly send: "Enter" | "Ctrl+Enter";
}

export const habits = new Store<Habits>({ preview: "when-needed", send: "Enter", ...readObject("retake-habits") });

export function changeHabits(change: Partial<Habits>): void {
  const next = { ...habits.value, ...change };
  habits.set(next);
  keep(localStorage, "retake-habits", JSON.stringify(next));
}

export function changeTheme(theme: Theme): void {
  keep(localStorage, "retake-theme", theme);
  themeStore.set(theme);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = themeStore.value;
}

function readPanels(): Panels {
  const usual = { sidebar: WIDE.matches, inspector: WIDE.matches, width: 420 };
  return WIDE.matches ? { ...usual, ...readObject("retake-panels") } : usual;
}

/** The object that this browser keeps under a name; nothing where it cannot be read. */
function readObject(name: string): object {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "{}") as object;
  } catch {
    return {};
  }
}
