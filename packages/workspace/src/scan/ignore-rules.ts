import type { BytePath } from "../model/model.ts";
import { type Pattern, parseGitignore } from "./gitignore-pattern.ts";

/**
 * kept: part of the tree. ignored: by git's rules; small files are captured separately. cache: by a built-in name; not
 * scanned. excluded: by a `.retakeignore`; never captured.
 */
export type Verdict = "kept" | "ignored" | "cache" | "excluded";

/** One gitignore file, and the directory its patterns are relative to. */
export interface IgnoreList {
  readonly patterns: readonly Pattern[];
  readonly verdict: Exclude<Verdict, "kept">;
  /** How many bytes at the start of a path the patterns do not see. */
  readonly skip: number;
  /** The text that the patterns see before the path, for a list from above the workspace. */
  readonly prefix: string;
}

/**
 * The rules for the entries of one directory: lists in order of precedence, the weakest first. The last list with a
 * matching pattern decides, and in it the last matching pattern.
 */
export class IgnoreRules {
  readonly #lists: readonly IgnoreList[];

  constructor(lists: readonly IgnoreList[]) {
    this.#lists = lists;
  }

  judge(path: BytePath, name: string, isDirectory: boolean): Verdict {
    for (let at = this.#lists.length - 1; at >= 0; at -= 1) {
      const list = this.#lists[at];
      if (!list) continue;
      const seen = list.prefix === "" ? (list.skip === 0 ? path : path.slice(list.skip)) : list.prefix + path;
      for (let index = list.patterns.length - 1; index >= 0; index -= 1) {
        const pattern = list.patterns[index];
        if (!pattern || (pattern.onlyDirectories && !isDirectory) || !pattern.matches(seen, name)) continue;
        if (pattern.negative) return "kept";
        return list.verdict === "ignored" && this.#isCache(path, name, isDirectory) ? "cache" : list.verdict;
      }
    }
    return "kept";
  }

  /** A cache that git's rules also ignore is still not scanned. */
  #isCache(path: BytePath, name: string, isDirectory: boolean): boolean {
    const caches = this.#lists.find((list) => list.verdict === "cache");
    return isDirectory && caches?.patterns.some((pattern) => pattern.matches(path, name)) === true;
  }

  /** The rules inside `directory`, given the content of its ignore files. */
  inside(directory: BytePath, files: { git?: string | undefined; retake?: string | undefined }): IgnoreRules {
    const added: IgnoreList[] = [];
    const skip = directory === "" ? 0 : directory.length + 1;
    if (files.git) added.push({ patterns: parseGitignore(files.git), verdict: "ignored", skip, prefix: "" });
    if (files.retake) added.push({ patterns: parseGitignore(files.retake), verdict: "excluded", skip, prefix: "" });
    return added.length === 0 ? this : new IgnoreRules([...this.#lists, ...added]);
  }
}

/**
 * Directories that tools fill and can fill again. A `!name/` in a `.gitignore` or `.retakeignore` makes one captured.
 */
export const DEFAULT_CACHES: readonly string[] = [
  "node_modules/",
  "bower_components/",
  ".pnpm-store/",
  ".parcel-cache/",
  ".turbo/",
  ".next/cache/",
  "__pycache__/",
  ".mypy_cache/",
  ".pytest_cache/",
  ".ruff_cache/",
  ".tox/",
  ".venv/",
  ".gradle/",
  ".terraform/providers/",
  ".terraform/modules/",
];

export function cacheList(names: readonly string[]): IgnoreList {
  return { patterns: parseGitignore(names.join("\n")), verdict: "cache", skip: 0, prefix: "" };
}
