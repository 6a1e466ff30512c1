/**
 * Text that comes in pieces, in whole characters. Some servers cut between the two halves of a character, each of
 * which is no text by itself; a half that stays alone is replaced, as everywhere.
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

  /** What is left when nothing more comes. */
  end(): string {
    const rest = this.#half.toWellFormed();
    this.#half = "";
    return rest;
  }
}
