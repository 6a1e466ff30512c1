import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BytePath } from "../model/model.ts";
import { bytePath, diskPath, parentOf } from "../model/path-bytes.ts";
import { look } from "./entry-looks.ts";
import { parseGitignore } from "./gitignore-pattern.ts";
import { cacheList, type IgnoreList, IgnoreRules } from "./ignore-rules.ts";

/**
 * The ignore rules from outside the workspace's own files: built-in caches, the user's global excludes, and the
 * repository around the workspace (its `info/exclude`, and the `.gitignore` files of the directories between its top
 * and the workspace).
 *
 * When the repository around it ignores the workspace, that repository's rules do not apply: the user works in the
 * workspace.
 */
export class OuterRules {
  readonly #sources: { path: BytePath; describe: typeof identity; found: string }[] = [];
  readonly #root: BytePath;
  readonly #caches: readonly string[];
  readonly #globalExcludes: string | undefined;

  constructor(root: BytePath, caches: readonly string[], globalExcludes: string | undefined) {
    this.#root = root;
    this.#caches = caches;
    this.#globalExcludes = globalExcludes;
  }

  /** Whether a file that the rules were read from has changed. */
  get stale(): boolean {
    return this.#sources.some(({ path, describe, found }) => describe(path) !== found);
  }

  /** Changes when any of the files changes. */
  get fingerprint(): string {
    return this.#sources.map(({ path, found }) => `${path}: ${found}`).join("\n");
  }

  read(): IgnoreRules {
    this.#sources.length = 0;
    const caches = cacheList(this.#caches);
    const global = this.#globalExcludes ? [this.#list(bytePath(this.#globalExcludes), 0)] : [];
    const alone = new IgnoreRules([caches, ...global]);
    const top = this.#repositoryAround();
    if (top === undefined) return alone;

    const lists = [...global, this.#list(join(gitDirectory(top), "info", "exclude"), 0)];
    const inside = top === this.#root ? "" : this.#root.slice(top === "/" ? 1 : top.length + 1);
    for (let at = 0; at < inside.length; ) {
      lists.push(this.#list(`${top}/${inside.slice(0, at)}.gitignore`, at));
      const slash = inside.indexOf("/", at);
      const end = slash < 0 ? inside.length : slash;
      if (new IgnoreRules(lists).judge(inside.slice(0, end), inside.slice(at, end), true) !== "kept") return alone;
      at = end + 1;
    }
    if (inside === "") return new IgnoreRules([caches, ...lists]);
    return new IgnoreRules([
      caches,
      ...lists.map((list) => ({ ...list, skip: 0, prefix: `${inside}/`.slice(list.skip) })),
    ]);
  }

  #repositoryAround(): BytePath | undefined {
    for (let at = this.#root; ; at = parentOf(at) || "/") {
      const path = `${at === "/" ? "" : at}/.git`;
      this.#sources.push({ path, describe: exists, found: exists(path) });
      if (exists(path) === "yes") return at;
      if (at === "/") return undefined;
    }
  }

  /** Patterns are relative to the repository's top, `skip` bytes into the path from there. */
  #list(path: BytePath, skip: number): IgnoreList {
    this.#sources.push({ path, describe: identity, found: identity(path) });
    return { patterns: parseGitignore(readIgnoreFile(diskPath(path, "")) ?? ""), verdict: "ignored", skip, prefix: "" };
  }
}

/** The content of an ignore file, one character per byte. A FIFO in its place is not opened: that could wait for ever. */
export function readIgnoreFile(path: string | Buffer): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "latin1") : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The directory that holds a repository's `info/`: `.git`, or the target of a worktree's or submodule's `.git` file.
 */
export function gitDirectory(top: BytePath): BytePath {
  const path = `${top === "/" ? "" : top}/.git`;
  const pointer = readIgnoreFile(diskPath(path, ""));
  const target = pointer && /^gitdir: (.+?)\s*$/.exec(pointer)?.[1];
  if (!target) return path;
  const directory = resolve(dirname(path), target);
  const common = readIgnoreFile(diskPath(`${directory}/commondir`, ""))?.trim();
  return common ? resolve(directory, common) : directory;
}

function identity(path: BytePath): string {
  const stat = look(path, "");
  if (typeof stat !== "object") return stat ?? "none";
  return `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.mode}`;
}

/** For a `.git` only its existence: every git command changes its times. */
function exists(path: BytePath): string {
  return typeof look(path, "") === "object" ? "yes" : "no";
}
