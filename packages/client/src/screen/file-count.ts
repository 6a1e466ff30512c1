import { mayOmitPaths } from "@retake/core";
import { plural } from "./plan-lines.ts";

/** How many files a list of a receipt stands for, which is cut where there are very many: "2 files", "100 or more files". */
export function fileCount(paths: readonly string[], omitted: number): string {
  return mayOmitPaths(omitted, paths) ? `${paths.length} or more files` : plural(paths.length, "file");
}
