import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A screen that was killed leaves its terminal raw: a shell may show nothing of what is typed, and the next program would take
 * that for the usual state and bring it back. So each screen leaves a mark while it has the terminal, and a mark of a process
 * that is gone means that the terminal has to be mended. Returns a function that takes the mark away.
 *
 * `begin` runs the program anew in this process. Node brings back at its end what it found at its beginning, which is what the
 * killed one left.
 */
export function markTerminal(directory: string, pid: number, begin: () => void): () => void {
  const file = markFile(directory);
  if (file === undefined) return () => {};
  const owner = readOwner(file);
  // The name of the terminal is known from /proc, so processes are found there, too.
  if (owner !== undefined && existsSync(`/proc/${owner}`)) return () => {};
  if (owner !== undefined) {
    rmSync(file, { force: true });
    spawnSync("stty", ["sane"], { stdio: ["inherit", "ignore", "ignore"] });
    begin();
  }
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${pid}\n`, { mode: 0o600 });
  } catch {
    // Without a mark the next start cannot mend the terminal; `reset` can.
    return () => {};
  }
  return () => rmSync(file, { force: true });
}

/** Named after the terminal; undefined where its name is not known. */
function markFile(directory: string): string | undefined {
  try {
    const terminal = readlinkSync("/proc/self/fd/0");
    return join(directory, terminal.replace(/[^\w]+/g, "-").replace(/^-/, ""));
  } catch {
    return undefined;
  }
}

function readOwner(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
