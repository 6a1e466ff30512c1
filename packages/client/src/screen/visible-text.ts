/**
 * A text with every character shown that a terminal or a browser would obey, but for line ends and tabs. A command that hides
 * such a character reads as another one.
 */
export function visible(text: string): string {
  return CONTROL.test(text) ? text.replaceAll("\r\n", "\n").replaceAll(CONTROLS, shown) : text;
}

/** A JSON text that means the same and holds no such character. */
export function visibleJson(json: string): string {
  return json.replaceAll(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// C0 but for tab and line feed, DEL, C1, and the characters that change the direction of a text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const CONTROLS = new RegExp(CONTROL, "g");

/** Unicode has pictures of C0 and DEL. */
function shown(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
