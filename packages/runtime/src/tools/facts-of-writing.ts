import type { CallFacts } from "@retake/core";
import { factOf, type Located } from "./locate-path.ts";

/** What writing one file touches. Undo covers the workspace and leaves repositories' own files alone. */
export function factsOfWriting(located: Located): CallFacts {
  const { place, path } = located;
  const irreversible =
    place === "outside"
      ? [`writes outside the workspace: ${path}`]
      : place === "git-directory"
        ? [`writes into a .git directory: ${path}`]
        : [];
  return { writes: true, paths: [factOf(located)], irreversible };
}
