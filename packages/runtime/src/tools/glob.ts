import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@retake/core";
import { stringIn } from "./check-input.ts";
import { count } from "./cut-text.ts";
import { completed, defineTool, failed } from "./define-tool.ts";
import { explainMissing } from "./find-similar-names.ts";
import { compileGlob, splitGlob } from "./glob-pattern.ts";
import { factOf, type Located, locatePath, strayed } from "./locate-path.ts";
import { pathField, pathProblemIn } from "./path-field.ts";
import { showList } from "./show-list.ts";
import type { ToolRoots } from "./tool.ts";
import { walkFiles } from "./walk-files.ts";

/** Finds files by their names. */
export const glob = defineTool({
  name: "glob",
  description:
    "Lists files whose path matches a pattern such as `**/*.ts` or `src/{a,b}/*.json`. Ignored files are left out, unless path names an ignored directory.",
  input: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, maxLength: 1000, description: "Relative to path." },
      path: { ...pathField, description: "The directory to look in; the workspace if absent." },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  check(input) {
    const pattern = stringIn(input, "pattern") ?? "";
    if (splitGlob(pattern).rest.split("/").includes("..")) return "A pattern cannot go up (..) after a wildcard.";
    const compiled = compileGlob(pattern);
    return compiled.kind === "invalid"
      ? compiled.message
      : (pathProblemIn(pattern) ?? pathProblemIn(stringIn(input, "path")));
  },
  async examine(input, place) {
    return { writes: false, paths: [factOf(beginningOf(input, place))], irreversible: [] };
  },
  async run(input, run) {
    const pattern = stringIn(input, "pattern") ?? "";
    const start = beginningOf(input, run);
    const stray = strayed(start, run);
    if (stray !== undefined) return failed(stray);
    const compiled = compileGlob(splitGlob(pattern).rest);
    if (compiled.kind === "invalid") return failed(compiled.message);
    const stats = await stat(start.absolute).catch(() => undefined);
    if (stats === undefined) return failed(explainMissing(start, run.root));
    if (!stats.isDirectory()) return failed(`${start.path} is not a directory.`);

    const found: string[] = [];
    let seen = 0;
    for await (const { path } of walkFiles(start, run.root, run.signal)) {
      seen += 1;
      if (seen % REPORTED_EVERY === 0) run.report({ units: seen, message: `${count(seen)} files seen` });
      if (compiled.matches(path)) found.push(start.path === "." ? path : join(start.path, path));
    }
    const details = { matches: found.length, files_seen: seen };
    if (found.length === 0) return completed(`No file matches ${pattern} (${count(seen, "file")} seen).`, details);
    return completed(await showList(found, "file", run), details);
  },
});

const REPORTED_EVERY = 5000;

/** Where the search begins: names in front of the first wildcard are directories to go into. */
function beginningOf(input: JsonObject, place: ToolRoots): Located {
  const path = stringIn(input, "path") ?? ".";
  const { directory } = splitGlob(stringIn(input, "pattern") ?? "");
  if (directory === "") return locatePath(path, place);
  const absolute = directory.startsWith("/") || directory === "~" || directory.startsWith("~/");
  return locatePath(absolute ? directory : `${path}/${directory}`, place);
}
