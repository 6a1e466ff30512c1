export { visible, visibleJson } from "@retake/client/visible-text";
export { promptForm } from "./prompt-form.ts";
export { coloured, markedText, type Style, terminalText } from "./terminal-text.ts";
export { clusters, cut, padded, textWidth, wrapped } from "./text-width.ts";
export { words } from "./words.ts";
