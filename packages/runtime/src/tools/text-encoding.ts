/** How text is written, by its byte order mark; UTF-8 where there is none. */
export function textEncoding(start: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  return "utf-8";
}

/** As git sees it: a NUL among the first bytes, unless a byte order mark says that it is UTF-16. */
export function isBinary(start: Uint8Array): boolean {
  return textEncoding(start) === "utf-8" && start.subarray(0, LOOKED_AT).includes(0);
}

const LOOKED_AT = 8000;
