import { realpathSync } from "node:fs";
import type { ConfinedPlace } from "./confined-place.ts";

/** The arguments that run a program in the place with macOS's `sandbox-exec`. Its rules are read in order, and the last that fits decides. */
export function sandboxExec(program: readonly string[], place: ConfinedPlace): string[] {
  return ["/usr/bin/sandbox-exec", "-p", sandboxProfile(place), ...program];
}

export function sandboxProfile({ root, temporary, readOnly, hiddenAround, hidden }: ConfinedPlace): string {
  const subpaths = (paths: readonly string[]) => paths.map((path) => `(subpath ${JSON.stringify(path)})`).join(" ");
  const unseen = [...hiddenAround, ...hidden].map(({ path }) => path);
  return [
    "(version 1)",
    "(allow default)",
    "(deny network*)",
    '(allow network* (local ip "localhost:*") (remote ip "localhost:*"))',
    "(deny file-write*)",
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (subpath "/dev/fd"))',
    // Every rule that denies comes after those that allow what it lies in.
    ...(unseen.length > 0 ? [`(deny file-read* file-write* ${subpaths(unseen)})`] : []),
    `(allow file-read* file-write* ${subpaths([root, realpathSync(temporary)])})`,
    ...(readOnly.length > 0 ? [`(deny file-write* ${subpaths(readOnly)})`] : []),
    ...(hidden.length > 0 ? [`(deny file-read* file-write* ${subpaths(hidden.map(({ path }) => path))})`] : []),
    // Services that would act for the command, outside.
    '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd"))',
    "(deny appleevent-send)",
  ].join("\n");
}
