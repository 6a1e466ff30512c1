import { isAbsolute, normalize, relative, resolve, sep } from "node:path";
import { realPathIn } from "@retake/runtime";
import { type Call, type Options, textOptions } from "./command.ts";

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

export const PATH_OPTION = {
  path: { type: "string", multiple: true, value: "file", about: "only this file; may be given several times" },
} as const satisfies Options;

/** The files that `--path` names; undefined for all. */
export function pathOption(call: Call): string[] | undefined {
  const named = textOptions(call, "path");
  return named.length === 0 ? undefined : named.map((each) => workspacePath(call, each));
}
