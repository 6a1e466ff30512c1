/**
 * The one way of text to a terminal (F4). Text of a model, a file, a name, a tool, a server or an import may hold characters that a
 * terminal obeys: they move the cursor, rename the window, write the clipboard, or show a text in another order. All of them are
 * made visible. Only our own colours pass: they carry a mark that is drawn anew for each process, so that nobody else can write one.
 */
import { randomBytes } from "node:crypto";
import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

let drawn: string | undefined;

/** Has the form that `text-width.ts` gives no room: an escape, 12 digits and a bracket. */
function mark(): string {
  drawn ??= `\u001b${randomBytes(6).toString("hex")}[`;
  return drawn;
}

/** A text in a colour, for `terminalText`. */
export function coloured(style: Style, text: string): string {
  const [open = "", close = ""] = styleText(style, "\0", { validateStream: false })
    .replaceAll("\u001b[", mark())
    .split("\0");
  return `${open}${text}${close}`;
}

/** A text with our own colours as a terminal may get it. */
export function terminalText(text: string): string {
  return drawn === undefined ? visible(text) : text.split(drawn).map(visible).join("\u001b[");
}

/** The same, with the marks still in it: for text whose width is to be known first. */
export function markedText(text: string): string {
  return drawn === undefined ? visible(text) : text.split(drawn).map(visible).join(drawn);
}

/** A text without colours: every character that a terminal would obey, but for line ends and tabs, is shown instead. */
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
