import { isAbsolute, normalize, relative, resolve, sep } from "node:path";
import { realPathIn } from "@retake/runtime";
import type { Call } from "./command.ts";

/**
 * A path that a user named, relative to the workspace, as tools and captures have it. In a directory of the workspace a
 * name is meant from there; elsewhere, with `--workspace`, from the workspace's root.
 */
export function workspacePath({ workspace, world }: Call, path: string): string {
  const { root } = workspace;
  const here = realPathIn(root, world.directory);
  const within = here === root || here.startsWith(`${root}${sep}`);
  const inside = isAbsolute(path)
    ? relative(root, path)
    : within
      ? relative(root, resolve(here, path))
      : normalize(path);
  // A path outside stays unchanged: the action decides about it.
  const named = inside === ".." || inside.startsWith(`..${sep}`) ? path : inside === "" ? "." : inside;
  return named.replace(/(?<=.)\/+$/, "");
}
