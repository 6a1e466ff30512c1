import { readdir } from "node:fs/promises";
import {
  type BytePath,
  bytePath,
  DEFAULT_CACHES,
  diskPath,
  type IgnoreRules,
  OuterRules,
  pathProblem,
  readIgnoreFile,
  showPath,
} from "@retake/workspace";
import type { Located } from "./locate-path.ts";

/**
 * The files below a directory, in order of their names, without what ignore files leave out and without repositories'
 * own directories. Links are named and never followed, so the walk stays below where it began. If the walk begins in an
 * ignored directory, nothing in it is ignored.
 */
export async function* walkFiles(start: Located, root: string, signal: AbortSignal): AsyncGenerator<WalkedFile> {
  const outside = start.place === "outside";
  const base = bytePath(outside ? start.absolute : root);
  const directory = outside || start.path === "." ? "" : bytePath(start.path);
  const rules = start.place !== "git-directory" ? rulesAt(base, directory) : undefined;
  yield* walk({ base, start: directory, signal }, directory, rules);
}

export interface WalkedFile {
  /** Below the beginning, as text. */
  readonly path: string;
  readonly disk: string | Buffer;
  readonly kind: "file" | "link" | "other";
}

interface Walk {
  readonly base: BytePath;
  readonly start: BytePath;
  readonly signal: AbortSignal;
}

async function* walk(walking: Walk, directory: BytePath, outer: IgnoreRules | undefined): AsyncGenerator<WalkedFile> {
  walking.signal.throwIfAborted();
  const { base, start } = walking;
  const rules = outer && withIgnoreFiles(outer, base, directory);
  for (const entry of await entriesOf(diskPath(base, directory))) {
    const name = entry.name.toString("latin1");
    const path = directory === "" ? name : `${directory}/${name}`;
    const problem = pathProblem(name);
    if (problem === "git-directory" || problem === "stage") continue;
    if (rules && rules.judge(path, name, entry.isDirectory()) !== "kept") continue;
    if (entry.isDirectory()) {
      yield* walk(walking, path, rules);
    } else {
      const kind = entry.isFile() ? "file" : entry.isSymbolicLink() ? "link" : "other";
      yield { path: showPath(start === "" ? path : path.slice(start.length + 1)), disk: diskPath(base, path), kind };
    }
  }
}

/** A directory that may not be read, or is gone by now, holds nothing we can show. */
async function entriesOf(directory: string | Buffer) {
  const entries = await readdir(directory, { withFileTypes: true, encoding: "buffer" }).catch(() => []);
  return entries.sort((a, b) => Buffer.compare(a.name, b.name));
}

/** The rules for what is in `directory`; undefined when it is itself ignored. */
function rulesAt(base: BytePath, directory: BytePath): IgnoreRules | undefined {
  // The user's own list of excludes takes a git process to find, and matters little here.
  let rules = new OuterRules(base, DEFAULT_CACHES, undefined).read();
  if (directory === "") return rules;
  const names = directory.split("/");
  for (const [depth, name] of names.entries()) {
    rules = withIgnoreFiles(rules, base, names.slice(0, depth).join("/"));
    if (rules.judge(names.slice(0, depth + 1).join("/"), name, true) !== "kept") return undefined;
  }
  return rules;
}

function withIgnoreFiles(rules: IgnoreRules, base: BytePath, directory: BytePath): IgnoreRules {
  const inside = (name: string) => readIgnoreFile(diskPath(base, directory === "" ? name : `${directory}/${name}`));
  return rules.inside(directory, { git: inside(".gitignore"), retake: inside(".retakeignore") });
}
