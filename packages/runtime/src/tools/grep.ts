import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { stringIn } from "./check-input.ts";
import { count } from "./cut-text.ts";
import { completed, defineTool, failed } from "./define-tool.ts";
import { explainMissing } from "./find-similar-names.ts";
import { compileGlob } from "./glob-pattern.ts";
import { LineSearch } from "./line-search.ts";
import { factOf, isKept, type Located, locatePath, strayed } from "./locate-path.ts";
import { pathField, pathProblemIn } from "./path-field.ts";
import { showList } from "./show-list.ts";
import { isBinary, textEncoding } from "./text-encoding.ts";
import type { ToolEnd, ToolRun } from "./tool.ts";
import { walkFiles } from "./walk-files.ts";

/** Finds lines by their content. */
export const grep = defineTool({
  name: "grep",
  description:
    "Finds lines that match a JavaScript regular expression; a leading (?i) ignores case. Answers `path:line: text`. Ignored and binary files are left out, unless path names them.",
  input: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, maxLength: 10_000, description: "A regular expression, for one line." },
      path: { ...pathField, description: "A directory or file to search; the workspace if absent." },
      glob: {
        type: "string",
        minLength: 1,
        maxLength: 1000,
        description: "Only files like this: `*.ts`, `src/**/*.css`.",
      },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  check(input) {
    const expression = compile(stringIn(input, "pattern") ?? "");
    if (typeof expression === "string") return expression;
    const filter = compileGlob(stringIn(input, "glob") ?? "*");
    return filter.kind === "invalid" ? filter.message : pathProblemIn(stringIn(input, "path"));
  },
  async examine(input, place) {
    const start = locatePath(stringIn(input, "path") ?? ".", place);
    return { writes: false, paths: isKept(start, place) ? [] : [factOf(start)], irreversible: [] };
  },
  async run(input, run) {
    const expression = compile(stringIn(input, "pattern") ?? "");
    if (typeof expression === "string") return failed(expression);
    const start = locatePath(stringIn(input, "path") ?? ".", run);
    const stray = isKept(start, run) ? undefined : strayed(start, run);
    if (stray !== undefined) return failed(stray);
    const files = await filesToSearch(start, stringIn(input, "glob"), run);
    if (files === undefined) return failed(explainMissing(start, run.root));
    return await searchFiles(files, new LineSearch(expression), run);
  },
});

const LONGEST_SEARCH = 30_000;
const LARGEST_FILE = 16 * 1024 * 1024;

/** Returns the reason for the model if the pattern is invalid. */
function compile(pattern: string): RegExp | string {
  const anyCase = pattern.startsWith("(?i)");
  try {
    return new RegExp(anyCase ? pattern.slice(4) : pattern, anyCase ? "i" : "");
  } catch (error) {
    return `${error instanceof Error ? error.message : "Invalid regular expression"}.`;
  }
}

interface Candidate {
  readonly path: string;
  readonly disk: string | Buffer;
}

async function filesToSearch(start: Located, glob: string | undefined, run: ToolRun) {
  const stats = await stat(start.absolute).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) return [{ path: start.path, disk: start.absolute }];
  return candidates(start, glob, run);
}

async function* candidates(start: Located, glob: string | undefined, run: ToolRun): AsyncGenerator<Candidate> {
  const filter = glob === undefined ? undefined : compileGlob(glob);
  // As in ignore files, a pattern without a slash is about names, wherever they are.
  const byName = glob?.includes("/") === false;
  for await (const { path, disk, kind } of walkFiles(start, run.root, run.signal)) {
    if (kind !== "file") continue;
    if (filter?.kind === "glob" && !filter.matches(byName ? basename(path) : path)) continue;
    yield { path: start.path === "." ? path : join(start.path, path), disk };
  }
}

async function searchFiles(
  files: AsyncIterable<Candidate> | Iterable<Candidate>,
  search: LineSearch,
  run: ToolRun,
): Promise<ToolEnd> {
  const deadline = performance.now() + LONGEST_SEARCH;
  const skipped = { binary: 0, large: 0, unreadable: 0 };
  let tooLongIn: string | undefined;
  let outOfTime = false;
  for await (const { path, disk } of files) {
    run.signal.throwIfAborted();
    const text = await readText(disk);
    if (typeof text !== "string") skipped[text.skipped] += 1;
    else if (search.add(path, text)) {
      tooLongIn = search.search().tooLongIn;
      run.report({ units: search.files, message: `${count(search.files)} files searched` });
      await nextTurn();
    }
    outOfTime = performance.now() > deadline;
    if (tooLongIn !== undefined || outOfTime) break;
  }
  run.signal.throwIfAborted();
  if (tooLongIn === undefined) tooLongIn = search.search().tooLongIn;
  return await sayFound(search, skipped, tooLongIn, outOfTime, run);
}

async function sayFound(
  search: LineSearch,
  skipped: Readonly<Record<"binary" | "large" | "unreadable", number>>,
  tooLongIn: string | undefined,
  outOfTime: boolean,
  run: ToolRun,
): Promise<ToolEnd> {
  const { matches, found, files } = search;
  const notes = Object.entries(skipped).flatMap(([why, number]) => (number > 0 ? [`${count(number)} ${why}`] : []));
  const left = notes.length > 0 ? `; left out: ${notes.join(", ")}` : "";
  const lines =
    found === 0
      ? [`No match (${count(files, "file")} searched${left}).`]
      : [await showList(matches, "match", run, found)];
  if (found > 0 && left !== "") lines.push(`(${count(files, "file")} searched${left}.)`);
  const details = { matches: found, files_searched: files, files_left_out: { ...skipped } };
  if (tooLongIn !== undefined) {
    lines.push(
      `Stopped: the pattern takes too long in ${tooLongIn}. Nested repetition such as (a+)+ does; write it plainer.`,
    );
    return failed(lines.join("\n"), details);
  }
  if (outOfTime) {
    lines.push(`Stopped after ${LONGEST_SEARCH / 1000} seconds; not everything was searched. Narrow path or glob.`);
    return failed(lines.join("\n"), details);
  }
  return completed(lines.join("\n"), details);
}

async function readText(disk: string | Buffer): Promise<string | { skipped: "binary" | "large" | "unreadable" }> {
  try {
    const handle = await open(disk, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return { skipped: "unreadable" };
      if (stats.size > LARGEST_FILE) return { skipped: "large" };
      const bytes = await handle.readFile();
      return isBinary(bytes) ? { skipped: "binary" } : new TextDecoder(textEncoding(bytes)).decode(bytes);
    } finally {
      await handle.close();
    }
  } catch {
    // Removed meanwhile, or not ours to read: it is counted, and the search goes on.
    return { skipped: "unreadable" };
  }
}
