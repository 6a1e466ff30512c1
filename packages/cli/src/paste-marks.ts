/** A terminal sends pasted text between these marks while it is told to (bracketed paste). */
export const PASTE_ON = "\u001b[?2004h";
export const PASTE_OFF = "\u001b[?2004l";

const START = "\u001b[200~";
const END = "\u001b[201~";
const MARK = new RegExp(`(${[START, END].map((mark) => mark.replace("[", "\\[")).join("|")})`);

/** Tells pasted text from typed text, also where a mark comes in two parts. */
export class PasteMarks {
  #pasting = false;
  /** The beginning of a mark that the last chunk ended in. */
  #held = "";

  /** Splits a chunk at the marks, and removes them. */
  split(chunk: string): { readonly text: string; readonly pasted: boolean }[] {
    const text = this.#held + chunk;
    const whole = withoutOpenMark(text);
    this.#held = text.slice(whole.length);
    return whole.split(MARK).flatMap((part) => {
      if (part !== START && part !== END) return part === "" ? [] : [{ text: part, pasted: this.#pasting }];
      this.#pasting = part === START;
      return [];
    });
  }
}

/** A lone escape is a key. */
function withoutOpenMark(text: string): string {
  for (let length = END.length - 1; length > 1; length -= 1) {
    const tail = text.slice(-length);
    if (START.startsWith(tail) || END.startsWith(tail)) return text.slice(0, -length);
  }
  return text;
}
