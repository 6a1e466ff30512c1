import type { BytePath } from "../model/model.ts";
import { diskPath } from "../model/path-bytes.ts";
import { look } from "./entry-looks.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import { type Directory, joinPath } from "./listing.ts";
import { gitDirectory, readIgnoreFile } from "./outer-rules.ts";

/** The rules inside a directory: the rules of its parents, and those of its own ignore files. */
export function rulesInside(
  root: BytePath,
  path: BytePath,
  names: { includes(name: string): boolean },
  given: IgnoreRules,
): IgnoreRules {
  let rules = given;
  // A nested repository's own excludes; those of the workspace are in the outer rules.
  if (path !== "" && names.includes(".git")) {
    const exclude = `${gitDirectory(`${root}/${path}`)}/info/exclude`;
    rules = rules.inside(path, { git: readIgnoreFile(diskPath(exclude, "")) });
  }
  const content = (name: string) => {
    if (!names.includes(name)) return undefined;
    const stat = look(root, joinPath(path, name));
    // Git follows no link to an ignore file in a working tree.
    if (typeof stat !== "object" || !stat.isFile()) return undefined;
    return readIgnoreFile(diskPath(root, joinPath(path, name)));
  };
  return rules.inside(path, { git: content(".gitignore"), retake: content(".retakeignore") });
}

/** Whether the ignore files of a directory may say something else than they did. */
export function ignoreFilesChanged(old: Directory, names: readonly string[], suspects: ReadonlySet<string>): boolean {
  return [".gitignore", ".retakeignore"].some(
    (name) => suspects.has(name) || names.includes(name) !== old.names.includes(name),
  );
}
