import type { BytePath } from "./model.ts";

/**
 * The argument for Node's fs functions, for a BytePath under `root`. A plain string when every byte is ASCII: Node
 * encodes strings as UTF-8, and a call with a string is twice as fast as one with a Buffer.
 */
export function diskPath(root: BytePath, path: BytePath): string | Buffer {
  const whole = path === "" ? root : `${root}/${path}`;
  return isAscii(whole) ? whole : Buffer.from(whole, "latin1");
}

/** A path as text, for people. Bytes that are not UTF-8 are shown as U+FFFD. */
export function showPath(path: BytePath): string {
  return isAscii(path) ? path : Buffer.from(path, "latin1").toString("utf8");
}

/** The bytes of a path that is given as text. */
export function bytePath(path: string): BytePath {
  return isAscii(path) ? path : Buffer.from(path, "utf8").toString("latin1");
}

export function parentOf(path: BytePath): BytePath {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** Adds the directories around a path. Those around a directory that is there already are there, too. */
export function addParents(path: BytePath, parents: Set<BytePath>): void {
  for (let at = parentOf(path); at !== "" && !parents.has(at); at = parentOf(at)) parents.add(at);
}

export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: every ASCII character may be in a name
  return /^[\x00-\x7f]*$/.test(text);
}
