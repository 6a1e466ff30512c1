import { lstatSync } from "node:fs";
import type { CallFacts } from "@retake/core";
import { defaultLimits } from "@retake/workspace";
import { factOf, type Located } from "./locate-path.ts";

/** The facts about a call that writes one file. Undo covers the workspace, but not the repositories' own files. */
export function factsOfWriting(located: Located): CallFacts {
  const { place, path, absolute } = located;
  const irreversible =
    place === "outside"
      ? [`writes outside the workspace: ${path}`]
      : place === "git-directory"
        ? [`writes into a .git directory: ${path}`]
        : isTooLarge(absolute)
          ? [`replaces a file that is too large to be kept: ${path}`]
          : [];
  return { writes: true, paths: [factOf(located)], irreversible };
}

function isTooLarge(path: string): boolean {
  try {
    return lstatSync(path).size > defaultLimits.largestFile;
  } catch {
    return false;
  }
}
