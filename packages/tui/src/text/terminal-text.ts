/**
 * The one way of text to a terminal (F4). Text of a model, a file, a name, a tool, a server or an import may hold characters that a
 * terminal obeys: they move the cursor, rename the window, write the clipboard, or show a text in another order. All of them are
 * made visible. Only our own colours pass: they carry a mark that is drawn anew for each process, so that nobody else can write one.
 */
import { randomBytes } from "node:crypto";
import { styleText } from "node:util";
import { visible } from "@retake/client/visible-text";

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
