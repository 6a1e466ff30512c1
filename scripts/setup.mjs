// Makes the repository ready to run: installs what package-lock.json names, once.
// Plain JavaScript that Node 20 runs, because the pinned Node 24 is one of the things it installs.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const marker = join(root, "node_modules", ".retake-installed");

/** Installs when node_modules does not match package-lock.json; answers the pinned Node's path. */
export function setup() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (!existsSync(marker) || readFileSync(marker, "utf8") !== wanted) {
    console.error("Installing what this repository needs (once, about a minute) …");
    const result = spawnSync("npm", ["ci", "--no-fund", "--no-audit", "--loglevel=error"], {
      cwd: root,
      stdio: ["ignore", 2, 2],
      shell: process.platform === "win32",
    });
    if (result.status !== 0) {
      console.error("npm ci failed; nothing else was changed. Fix what it says above and run the same command again.");
      process.exit(result.status ?? 1);
    }
    // Written last, so that an interrupted install is done again.
    writeFileSync(marker, wanted);
  }
  return join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
}

/** Runs a program from the repository's root with the pinned Node first in PATH. */
export function run(command, args, options = {}) {
  const bin = join(root, "node_modules", ".bin");
  const separator = process.platform === "win32" ? ";" : ":";
  return spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    ...options,
    env: { ...process.env, PATH: `${bin}${separator}${process.env.PATH ?? ""}`, ...options.env },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();
