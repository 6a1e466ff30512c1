import type { Row } from "@retake/client/screen";
import { type Focus, focusStore } from "../data/view-state.ts";

interface Control {
  readonly rows: readonly Row[];
  /** Brings a row to the screen. */
  readonly reveal: (at: number) => void;
  readonly toggleFold: (turn: string, folded: boolean) => void;
  /** Shows the end of the thread, and follows it. */
  readonly goToEnd: () => void;
  /** Ends following: someone who moves upwards is not pulled back. */
  readonly leaveEnd: () => void;
}

let control: Control | undefined;

/** The transcript on the screen, for keys and commands. */
export const transcriptControl = {
  set(next: Control): void {
    control = next;
  },
  get(): Control | undefined {
    return control;
  },
};

export function focusOf(row: Row): Focus {
  const { key, kind, name } = row;
  if (row.kind === "turn") return { row: key, kind, turn: row.turn.id, name };
  if (row.kind === "call") return { row: key, kind, turn: row.turn, entry: row.result?.id, name };
  return { row: key, kind, turn: row.turn, entry: row.entry.id, name };
}

/** The row that has the focus, as it is now. */
export function focusedRow(): Row | undefined {
  return control?.rows.find(({ key }) => key === focusStore.value?.row);
}

/** Moves the focus by rows, or to the next row that fits. */
export function moveFocus(step: 1 | -1, fits: (row: Row) => boolean = () => true): void {
  const rows = control?.rows ?? [];
  const from = rows.findIndex(({ key }) => key === focusStore.value?.row);
  const start = from < 0 ? (step > 0 ? -1 : rows.length) : from;
  for (let at = start + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at];
    if (row && fits(row)) {
      if (step < 0) control?.leaveEnd();
      focusRow(at);
      return;
    }
  }
}

export function focusRow(at: number): void {
  const row = control?.rows[at];
  if (!row) return;
  focusStore.set(focusOf(row));
  control?.reveal(at);
  // The row is mounted in the frame after the list has moved.
  requestAnimationFrame(() => requestAnimationFrame(() => focusElement(row.key)));
}

export function focusElement(key: string): void {
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
