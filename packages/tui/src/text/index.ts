export { coloured, markedText, type Style, terminalText, visible, visibleJson } from "./terminal-text.ts";
export { clusters, cut, padded, textWidth, wrapped } from "./text-width.ts";
export { words } from "./words.ts";
