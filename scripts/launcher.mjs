// `retake` at node_modules/.bin, for this repository: it runs the pinned Node, whatever `node` is in PATH.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./setup.mjs";

export const retake = join(root, "node_modules", ".bin", "retake");

// Found through links from elsewhere. A shell, because a Node that starts another one takes twice as long.
const launcher = `#!/bin/sh
here=$0
while [ -h "$here" ]; do
  link=$(readlink "$here")
  case $link in
    /*) here=$link ;;
    *) here=\${here%/*}/$link ;;
  esac
done
modules=\${here%/*}/..
exec "$modules/node/bin/node" "$modules/retake/bin/retake.cjs" "$@"
`;

/** Takes the place of the link that npm made, which leads to whatever Node is in PATH. */
export function putLauncher() {
  // On Windows npm's own stays: with Node 24 it works, with an older one it says so.
  if (process.platform === "win32" || isThere()) return;
  const aside = `${retake}.${process.pid}`;
  writeFileSync(aside, launcher, { mode: 0o755 });
  renameSync(aside, retake);
}

function isThere() {
  try {
    return readFileSync(retake, "utf8") === launcher;
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) putLauncher();
