const MODIFIERS: ReadonlySet<string> = new Set(["Shift", "Control", "Alt", "Meta"]);

/** An act of the user: a key that goes down, or a press of the pointer, which has no key. */
export interface Act {
  readonly key?: string;
  /** When it was done, which may be long before a busy page hears of it. */
  readonly timeStamp: number;
}

/**
 * Presses of Enter in a row, without another act between them. They are one impatient wish: a second Enter on the button of a
 * preview is meant for that button, also when the preview is gone and the focus is in the field of the prompt again.
 */
export class EnterRun {
  #since: number | undefined;

  note({ key, timeStamp }: Act): void {
    if (key !== undefined && MODIFIERS.has(key)) return;
    this.#since = key === "Enter" ? (this.#since ?? timeStamp) : undefined;
  }

  /** Whether words that came on the screen at this time were there before the first press. */
  isAfter(shownAt: number): boolean {
    return this.#since === undefined || this.#since > shownAt;
  }
}
