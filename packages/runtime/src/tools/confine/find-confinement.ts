import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { homeDirectory } from "@retake/workspace";
import { bubblewrap } from "./bubblewrap.ts";
import { confinedPlace } from "./confined-place.ts";
import type { Confinement, ConfinementFound } from "./confinement.ts";
import { sandboxExec } from "./sandbox-exec.ts";
import { temporaryParent } from "./temporary-parent.ts";
import { unshare } from "./unshare.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds out how commands can be confined here, by confining one. `RETAKE_CONFINEMENT` names the only way to try, or
 * `none`. Once per process: the answer does not change while it runs.
 */
export function findConfinement(environment: Environment): Promise<Confinement> {
  const only = environment["RETAKE_CONFINEMENT"] ?? "";
  const known = found.get(only) ?? tryEach(waysHere(environment), only);
  found.set(only, known);
  return known;
}

const found = new Map<string, Promise<Confinement>>();

async function tryEach(ways: readonly ConfinementFound[], only: string): Promise<Confinement> {
  if (only === "none") return { kind: "none", reason: "RETAKE_CONFINEMENT=none" };
  const wanted = ways.filter(({ kind }) => only === "" || kind === only);
  const problems: string[] = [];
  for (const way of wanted) {
    const problem = await problemWith(way);
    if (problem === undefined) return way;
    problems.push(`${way.kind}: ${problem}`);
  }
  return {
    kind: "none",
    reason: problems.length > 0 ? problems.join("; ") : (MISSING[process.platform] ?? MISSING["linux"] ?? ""),
  };
}

const MISSING: Partial<Record<string, string>> = {
  linux: "neither bwrap (bubblewrap) nor unshare, setpriv (util-linux) and perl are installed",
  darwin: "sandbox-exec is not there",
  win32: "there is no way to confine commands on Windows",
};

function waysHere(environment: Environment): ConfinementFound[] {
  if (process.platform === "darwin") {
    const argv: ConfinementFound["argv"] = sandboxExec;
    return existsSync("/usr/bin/sandbox-exec") ? [{ kind: "sandbox-exec", levels: 1, argv }] : [];
  }
  if (process.platform !== "linux") return [];
  const bwrap = programAt("bwrap", environment);
  const ways: ConfinementFound[] = [];
  if (bwrap !== undefined)
    ways.push({ kind: "bwrap", levels: 3, argv: (program, place) => bubblewrap(bwrap, program, place) });
  const [made, dropped, perl] = ["unshare", "setpriv", "perl"].map((name) => programAt(name, environment));
  if (made !== undefined && dropped !== undefined && perl !== undefined) {
    const programs = { unshare: made, setpriv: dropped, perl };
    ways.push({ kind: "unshare", levels: 3, argv: (program, place) => unshare(programs, program, place) });
  }
  return ways;
}

/**
 * Its absolute path. Only the system's directories count, because a program in the workspace must not be its own
 * confinement.
 */
function programAt(name: string, { PATH = "" }: Environment): string | undefined {
  const system = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/run/current-system/sw/bin"];
  const named = PATH.split(delimiter).filter(
    (directory) => system.includes(directory) || directory.startsWith("/nix/"),
  );
  return [...new Set([...system, ...named])].map((directory) => join(directory, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs a command that must be able to write here and must not be able to write there. */
async function problemWith(way: ConfinementFound): Promise<string | undefined> {
  const directory = realpathSync(mkdtempSync(join(temporaryParent(), "retake-probe-")));
  try {
    const [root, temporary] = [join(directory, "workspace"), join(directory, "temporary")];
    mkdirSync(join(root, ".git"), { recursive: true });
    mkdirSync(temporary);
    const place = confinedPlace({ root, temporary, repositories: [], own: [] });
    const home = homeDirectory() ?? "/";
    const [file = "", ...args] = way.argv(
      ["/bin/sh", "-c", PROBE, "sh", home, way.kind === "sandbox-exec" ? temporary : "/tmp"],
      place,
    );
    return await new Promise((resolve) => {
      const environment = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", HOME: home };
      execFile(file, args, { cwd: root, env: environment, timeout: 10_000 }, (error, _, said) => {
        resolve(error === null ? undefined : said.trim().split("\n").at(-1) || error.message);
      });
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const PROBE = [
  'touch inside "$2/inside" || exit 1',
  'for place in "$1" .git; do',
  '  if touch "$place/.retake-probe" 2>/dev/null; then echo "what is outside could be written" >&2; exit 1; fi',
  "done",
].join("\n");
