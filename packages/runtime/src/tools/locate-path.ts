import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { PathFact } from "@retake/core";
import { bytePath, diskPath, gitDirectory, homeDirectory, pathProblem, realPathIn } from "@retake/workspace";
import { isUnder } from "./confine/confined-place.ts";
import type { ToolRoots, ToolRun } from "./tool.ts";

/**
 * Where a path leads: every link followed, also a last one that dangles, and names that do not
 * exist yet kept as they are. `..` is taken after the link before it, as the system does.
 *
 *   given     what the model wrote
 *   spelled   where that seems to lie, links aside
 *   place     where it does lie, and so what is asked about
 *
 * The two differ where the path contains a link; `strayed` then decides.
 */
export function locatePath(given: string, place: ToolRoots, from = place.root): Located {
  const wanted = withHome(given);
  const absolute = followLinks(isAbsolute(wanted) ? wanted : `${from}/${wanted}`, place.root);
  const spelled = placeOf(resolve(from, wanted), place.root);
  const actual = placeOf(absolute, place.root);
  // A `.git` that is a link into the workspace is no less the repository's own directory.
  const stricter = spelled === "git-directory" && actual === "workspace" ? spelled : actual;
  const path = actual === "outside" ? absolute : relative(place.root, absolute).split(sep).join("/") || ".";
  return { given, absolute, path, place: stricter, spelled };
}

export interface Located extends PathFact {
  readonly given: string;
  /** Without links. */
  readonly absolute: string;
  readonly spelled: PathFact["place"];
}

export function factOf({ path, place }: Located): PathFact {
  return { path, place };
}

/** Whether this is output that was kept whole for reading on; reading it needs no approval. */
export function isKept({ absolute }: Located, { kept }: ToolRoots): boolean {
  return kept !== undefined && isUnder(absolute, kept);
}

/** Why a call may not go where its path leads now, told to the model; undefined where it may. */
export function strayed(located: Located, run: ToolRun): string | undefined {
  const { place, spelled, path, given } = located;
  if (place === "workspace" || place === spelled) return undefined;
  if (run.approved?.some((fact) => fact.path === path && fact.place === place)) return undefined;
  const where = place === "outside" ? "out of the workspace" : "into a .git directory";
  return `${given} leads ${where} through a link, to ${path}. Nothing was done. Name that path itself if it is meant.`;
}

function withHome(given: string): string {
  const home = homeDirectory();
  return home !== undefined && (given === "~" || given.startsWith("~/")) ? join(home, given.slice(1)) : given;
}

/** Unreadable or circular links end the walk: opening the path gives the system's own error. */
function followLinks(path: string, root: string): string {
  // The root is resolved, and may be an alias: a link that is not followed.
  const within = path.startsWith(`${root}/`);
  const names = path.slice(within ? root.length : 0).split("/");
  let at = within ? root : "/";
  for (let links = 0; names.length > 0; ) {
    const name = names.shift() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = at === root ? realPathIn(root, `${root}/..`) : dirname(at);
      continue;
    }
    const next = join(at, name);
    const target = links < MOST_LINKS ? linkTarget(next) : undefined;
    if (target === undefined) {
      at = next;
    } else {
      links += 1;
      names.unshift(...target.split("/"));
      if (isAbsolute(target)) at = "/";
    }
  }
  return at;
}

const MOST_LINKS = 40;

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function placeOf(absolute: string, root: string): PathFact["place"] {
  if (!isUnder(absolute, root)) return "outside";
  const names = relative(root, absolute).split(sep);
  if (names.some((name) => pathProblem(bytePath(name)) === "git-directory")) return "git-directory";
  const elsewhere = repositoryElsewhere(root);
  return elsewhere !== undefined && isUnder(absolute, elsewhere) ? "git-directory" : "workspace";
}

/** The directory of the workspace's repository, if its `.git` is a file or a link that leads to it. */
function repositoryElsewhere(root: string): string | undefined {
  const stats = lstatSync(join(root, ".git"), { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return undefined;
  try {
    return realPathIn(root, diskPath(gitDirectory(bytePath(root)), ""));
  } catch {
    return undefined;
  }
}
