/** Keys of the whole page, as the shared key map says. A text field keeps its own. */
import { type Action, actionFor, beginsSequence, keyName } from "@retake/client/screen";
import { runningTurn } from "@retake/core";
import { useEffect } from "react";
import { navigate } from "wouter/use-browser-location";
import { keyStore } from "../data/key-choices.ts";
import { sayError } from "../data/notices.ts";
import { leavePlan, planStore } from "../data/plan.ts";
import type { Session } from "../data/session.ts";
import { changePanels, panels, showTab, toggleSplit } from "../data/view-state.ts";
import { takesInOrder } from "../takes/takes-in-order.ts";
import { focusedRow, focusRow, moveFocus, transcriptControl } from "../transcript/focus-row.ts";
import { copyText, insertBefore, removeEntry, startEditing, toggle } from "./entry-commands.ts";
import { branchAt, redo, redoStep, switchTake, takeBack, undoStep, undoTurns } from "./history-commands.ts";
import { openOverlay, overlay } from "./overlay.ts";
import { interrupt, newThread } from "./thread-commands.ts";

const SEQUENCE_MS = 1000;

/** Without a session, keys that need a thread do nothing. */
export function useKeys(session?: Session): void {
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const place = placeOf(event.target);
      if (place === "menu" || place === "approval") return;
      const key = keyName(event);
      if (overlay.value === "palette" || overlay.value === "keys") {
        // It is still being loaded: keys are meant for it, and are no commands.
        if (key === "Escape") overlay.set(undefined);
        return;
      }
      const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : key;
      first = undefined;
      const { map } = keyStore.value;
      const action = actionFor(sequence, place, map) ?? actionFor(key, place, map);
      if (!action && place === "moving" && beginsSequence(key, map)) first = { key, at: event.timeStamp };
      if (session && key === "Escape" && place === "moving" && planStore.value) {
        event.preventDefault();
        return leavePlan();
      }
      if (!action) return;
      // Enter and Space press the button that has the focus.
      const onControl = (event.target as HTMLElement).closest?.(
        "button, a, select, summary, [role=tab], [role=separator]",
      );
      if (onControl && (key === "Enter" || key === " " || key.startsWith("Arrow"))) return;
      if (run(action, session, key)) event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [session]);
}

function placeOf(target: EventTarget | null): "moving" | "typing" | "menu" | "approval" {
  if (!(target instanceof HTMLElement)) return "moving";
  if (target.closest("[role=menu], [role=dialog]")) return "menu";
  if (target.isContentEditable || target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select"))
    return "typing";
  return target.closest("[data-approval]") ? "approval" : "moving";
}

/** Answers whether the key had a meaning here. */
function run(action: Action, session: Session | undefined, key: string): boolean {
  const [ofPage, ofThread] = [PAGE_ACTIONS[action], THREAD_ACTIONS[action]];
  if (ofPage) ofPage();
  else if (ofThread && session) ofThread(session, key);
  else return false;
  return true;
}

const isTurn = ({ kind }: { readonly kind: string }) => kind === "turn";

const PAGE_ACTIONS: Partial<Record<Action, () => unknown>> = {
  "show-keys": () => openOverlay("keys"),
  palette: () => openOverlay("palette"),
  search: () => {
    const focus = () => document.getElementById("thread-search")?.focus();
    if (panels.value.sidebar) return focus();
    changePanels({ sidebar: true });
    return requestAnimationFrame(() => requestAnimationFrame(focus));
  },
  "toggle-sidebar": () => changePanels({ sidebar: !panels.value.sidebar }),
  "next-region": () => stepRegion(1),
  "previous-region": () => stepRegion(-1),
  "new-thread": async () => {
    const address = await newThread();
    if (address) navigate(address);
  },
};

const THREAD_ACTIONS: Partial<Record<Action, (session: Session, key: string) => unknown>> = {
  "next-row": () => moveFocus(1),
  "previous-row": () => moveFocus(-1),
  "next-turn": () => moveFocus(1, isTurn),
  "previous-turn": () => moveFocus(-1, isTurn),
  "first-row": (session) => {
    transcriptControl.get()?.leaveEnd();
    if (session.store.value.view?.previous === null) focusRow(0);
    else void session.goToFirst();
  },
  "last-row": () => {
    const control = transcriptControl.get();
    focusRow((control?.rows.length ?? 0) - 1);
    control?.goToEnd();
  },
  open: ({ thread }) => {
    const row = focusedRow();
    if (row?.kind === "turn") transcriptControl.get()?.toggleFold(row.turn.id, !row.folded);
    else if (row?.kind === "entry") void toggle(thread, row.entry, "collapsed");
    else if (row) document.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.key)}"] .call-title`)?.click();
  },
  edit: ({ store }) => {
    const entry = focusedEntry();
    const { view } = store.value;
    if (!entry || !view) return;
    // As its button, which is disabled: the text that is edited would be an old one with the next words of the answer.
    if (entry.turn_id !== undefined && entry.turn_id === runningTurn(view.state, view.take))
      sayError("The turn still writes this entry. Stop it first, or wait until it is done.");
    else startEditing(entry);
  },
  "read-mode": ({ thread }) => withEntry((entry) => toggle(thread, entry, "read_mode")),
  collapse: ({ thread }) => withEntry((entry) => toggle(thread, entry, "collapsed")),
  insert: ({ thread }) => withEntry((entry) => insertBefore(thread, entry.id)),
  delete: ({ thread }) => withEntry((entry) => removeEntry(thread, entry.id)),
  copy: () => withEntry((entry) => copyText(entry.content)),
  branch: ({ thread }) => {
    const row = focusedRow();
    const at = row?.kind === "turn" ? row.name : focusedEntry()?.id;
    if (at !== undefined) void branchAt(thread, at);
  },
  "take-back": ({ thread }) => {
    const row = focusedRow();
    if (row?.kind === "turn" || row?.kind === "call") void takeBack(thread, { kind: row.kind, name: row.name });
  },
  "undo-turn": ({ thread }) => undoTurns(thread, 1, "always"),
  "undo-turn-anywhere": ({ thread }) => undoTurns(thread, 1, "always"),
  redo: ({ thread }) => redo(thread),
  "undo-step": ({ thread }) => undoStep(thread),
  "redo-step": ({ thread }) => redoStep(thread),
  "show-history": () => showTab("history"),
  "show-takes": () => showTab("takes"),
  "show-changes": () => showTab("changes"),
  "show-settings": () => showTab("settings"),
  "side-by-side": toggleSplit,
  write: () => document.getElementById("composer")?.focus(),
  find: () => openOverlay("find"),
  "toggle-inspector": () => changePanels({ inspector: !panels.value.inspector }),
  interrupt: (session) => {
    const { view } = session.store.value;
    const turn = view && runningTurn(view.state, view.take);
    if (turn !== undefined) void interrupt(session.thread, turn);
  },
  "previous-take": (session) => stepTake(session, -1),
  "next-take": (session) => stepTake(session, 1),
  "nth-take": (session, key) => chooseTake(session, Number(key.slice(-1)) - 1),
};

function focusedEntry() {
  const row = focusedRow();
  return row?.kind === "entry" ? row.entry : row?.kind === "call" ? row.result : undefined;
}

function withEntry(does: (entry: NonNullable<ReturnType<typeof focusedEntry>>) => unknown): void {
  const entry = focusedEntry();
  if (entry) does(entry);
}

function stepTake(session: Session, step: 1 | -1): void {
  const { view } = session.store.value;
  if (!view) return;
  const takes = takesInOrder(view.state);
  const at = takes.findIndex(({ id }) => id === view.take);
  chooseTake(session, (at + step + takes.length) % takes.length);
}

/** Switches to a take by its place among the tabs. */
function chooseTake({ thread, store }: Session, place: number): void {
  const { view } = store.value;
  const take = view && takesInOrder(view.state)[place];
  if (take) void switchTake(thread, take.id, take.name);
}

function stepRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")];
  const at = regions.findIndex((each) => each.contains(document.activeElement));
  regions[(at + step + regions.length) % regions.length]?.focus();
}
