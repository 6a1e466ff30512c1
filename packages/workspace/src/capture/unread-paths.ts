import type { BytePath, Uncovered } from "../model/model.ts";
import { parentOf } from "../model/path-bytes.ts";
import { nameOf } from "../scan/listing.ts";

/** Paths that were left out because they could not be read, as hints: the names in each directory. */
export function unreadPaths(uncovered: ReadonlyMap<BytePath, Uncovered["reason"]>): Map<BytePath, Set<string>> {
  const unread = new Map<BytePath, Set<string>>();
  for (const [path, reason] of uncovered) {
    if (reason !== "unreadable") continue;
    const names = unread.get(parentOf(path)) ?? new Set<string>();
    unread.set(parentOf(path), names.add(nameOf(path)));
  }
  return unread;
}
