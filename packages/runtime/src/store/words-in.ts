/**
 * The words of a text, in the form that search compares: without case, accents of Latin letters and compatibility forms
 * (ﬁ, ①). In scripts without spaces between words each character is a word, so that a part of a sentence can be found.
 * Everywhere else words consist of letters and digits, and everything else separates them.
 */
export function wordsIn(text: string): string[] {
  const plain = folded(text);
  return plain.match(isAscii(plain) ? /[a-z0-9]+/g : words()) ?? [];
}

/** The words with their positions in the text. */
export function* placedWords(text: string): Generator<{ word: string; start: number; end: number }> {
  const starts: number[] = [];
  let whole = "";
  for (const { 0: letter, index } of text.matchAll(LETTER)) {
    const piece = folded(letter);
    for (let each = 0; each < piece.length; each += 1) starts.push(index);
    whole += piece;
  }
  for (const { 0: word, index } of whole.matchAll(words())) {
    const after = starts[index + word.length] ?? text.length;
    yield { word, start: starts[index] ?? 0, end: endOf(text, starts[index + word.length - 1] ?? 0, after) };
  }
}

function folded(text: string): string {
  const lower = text.toLowerCase();
  return isAscii(lower) ? lower : lower.normalize("NFKD").replace(ACCENTS, "").normalize("NFKC");
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: every ASCII character may be in a text
  return /^[\x00-\x7f]*$/.test(text);
}

/** The end of the letter that begins at `last`; characters between it and the next word are not part of it. */
function endOf(text: string, last: number, after: number): number {
  LETTER.lastIndex = 0;
  const letter = text.slice(last, after).match(LETTER)?.[0] ?? "";
  return last + letter.length;
}

/** In a function, because creating it takes Node a millisecond, which most commands do not need to spend. */
function words(): RegExp {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+/gv;
}

const LETTER = /\P{M}\p{M}*|\p{M}+/gu;
const ACCENTS = /[\u0300-\u036f]/g;
