import type { ConfinedPlace } from "./confined-place.ts";
import type { ConfinementFound } from "./confinement.ts";

/**
 * How to start a program in a confined place. Variables that steer the confining programs are set only inside: a
 * library or a module that they name may lie in the workspace.
 */
export function confinedCommand(
  program: readonly string[],
  environment: Readonly<Record<string, string>>,
  { by, place }: { readonly by: ConfinementFound; readonly place: ConfinedPlace },
): { readonly file: string; readonly args: string[]; readonly env: Record<string, string> } {
  const temporary = by.kind === "sandbox-exec" ? place.temporary : "/tmp";
  const wanted = Object.entries({ ...environment, TMPDIR: temporary, TMP: temporary, TEMP: temporary });
  const inside = wanted.filter(([name]) => STEERS.test(name)).map(([name, value]) => `${name}=${value}`);
  const env = Object.fromEntries(wanted.filter(([name]) => !STEERS.test(name)));
  const [file = "", ...args] = by.argv(inside.length > 0 ? ["/usr/bin/env", ...inside, ...program] : program, place);
  return { file, args, env };
}

const STEERS = /^(?:LD_|DYLD_|PERL|GLIBC_|MALLOC_|GCONV_PATH$|LOCPATH$|NLSPATH$)/;
