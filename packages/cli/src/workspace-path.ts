import { isAbsolute, normalize, relative, sep } from "node:path";

/** A path that a user named, relative to the workspace, as tools and captures have it. */
export function workspacePath(root: string, path: string): string {
  const inside = isAbsolute(path) ? relative(root, path) : normalize(path);
  // Outside it stays what it was: whoever uses it decides about that.
  const named = inside === ".." || inside.startsWith(`..${sep}`) ? path : inside;
  return named.replace(/(?<=.)\/+$/, "");
}
