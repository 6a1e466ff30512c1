import { readdirSync } from "node:fs";
import type { BytePath } from "../model/model.ts";
import { diskPath } from "../model/path-bytes.ts";
import { isSkipped, look } from "./entry-looks.ts";
import { joinPath, type Listing } from "./listing.ts";
import { isRacy } from "./stat-table.ts";

/** About 0.3 s of looking; the rest is not looked at. */
const MOST_ENTRIES = 100_000;
/** With more changes in one directory, only the directory is named. */
const MOST_NAMES = 20;

/**
 * Paths in left-out directories that changed after `since`, a time in milliseconds (F24). Nothing of such a directory
 * is known from before, but no program can set a file's ctime back. Where something was deleted, the directory that it
 * lay in is named. With `named`, only these paths are looked at: nothing else can have changed.
 */
export function leftOutChanges(
  root: BytePath,
  listing: Listing,
  since: number,
  named: readonly BytePath[] | undefined,
): BytePath[] {
  if (named) return named.filter((path) => !isCovered(listing, path) && changedSince(look(root, path), since));
  const changed: BytePath[] = [];
  let budget = MOST_ENTRIES;
  const visit = (directory: BytePath, found: BytePath[]): void => {
    const names = list(root, directory);
    for (const name of names) {
      if (budget <= 0 || found.length > MOST_NAMES) return;
      budget -= 1;
      const path = joinPath(directory, name);
      const stat = isSkipped(name) ? undefined : look(root, path);
      if (typeof stat !== "object") continue;
      const before = found.length;
      if (stat.isDirectory()) visit(path, found);
      if (found.length === before && changedSince(stat, since) && !listing.claims.has(path)) found.push(path);
    }
  };
  for (const [path] of listing.uncovered()) {
    const stat = look(root, path);
    if (typeof stat !== "object" || !stat.isDirectory()) continue;
    const found: BytePath[] = [];
    visit(path, found);
    changed.push(...(found.length > MOST_NAMES ? [path] : found));
  }
  return changed;
}

function isCovered(listing: Listing, path: BytePath): boolean {
  const state = listing.stateOf(path);
  return state !== undefined && state.kind !== "uncovered";
}

function changedSince(stat: ReturnType<typeof look>, since: number): boolean {
  return typeof stat === "object" && isRacy(stat, since);
}

function list(root: BytePath, path: BytePath): string[] {
  try {
    return readdirSync(diskPath(root, path), "latin1").sort();
  } catch {
    // Gone, or not readable: nothing can be said about it.
    return [];
  }
}
