/**
 * Joins text that arrives in pieces into whole characters. Some servers cut a character into halves that are no valid
 * text alone; a half that stays alone is replaced, as everywhere.
 */
export class WholeCharacters {
  #half = "";

  push(piece: string): string {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    const cut = last >= 0xd800 && last <= 0xdbff;
    this.#half = cut ? text.slice(-1) : "";
    return (cut ? text.slice(0, -1) : text).toWellFormed();
  }

  /** The rest when nothing more arrives. */
  end(): string {
    const rest = this.#half.toWellFormed();
    this.#half = "";
    return rest;
  }
}
