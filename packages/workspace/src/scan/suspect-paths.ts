import type { BytePath } from "../model/model.ts";
import { parentOf } from "../model/path-bytes.ts";
import { type Listing, nameOf } from "./listing.ts";

/** Directories with the names in them that something happened to. */
export type Hints = ReadonlyMap<BytePath, ReadonlySet<string>>;

/**
 * Hints with more paths to look at. A path in a new directory is found with the topmost one that is new; paths in
 * directories that are left out are not scanned.
 */
export function withPaths(hints: Hints, paths: Iterable<BytePath>, listing: Listing): Hints {
  const all = new Map(hints);
  for (const path of paths) {
    let at = path;
    while (at.includes("/") && !listing.get(parentOf(at))) at = parentOf(at);
    const directory = listing.get(parentOf(at));
    if (!directory || (at !== path && directory.names.indexOf(nameOf(at)) >= 0)) continue;
    all.set(directory.path, new Set([...(all.get(directory.path) ?? []), nameOf(at)]));
  }
  return all;
}
