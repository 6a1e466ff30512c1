/**
 * Runs a file of the bundle with what V8 made of its functions the last time.
 *
 * Node keeps such a cache too, but takes it as soon as a file is compiled, when none of its functions has run and
 * so none is compiled. Here it is taken when the process ends, one for each command, and holds what that
 * command needs: that is a fifth of a short command's time. It may be lost, and is made again for another Node.
 */
"use strict";

const { hash } = require("node:crypto");
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { basename, dirname, isAbsolute, join } = require("node:path");
const { Script } = require("node:vm");

/** The file is one function, as Node makes it of a module. `module` stands for it, and `load` is the `require` that it uses. */
module.exports = function loadCached(file, module, load) {
  // Node's own switch, which turns off Node's own cache.
  const kept = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : cacheFile(file, load);
  const script = new Script(readFileSync(file, "latin1"), { filename: file, cachedData: kept && recall(kept) });
  if (kept && script.cachedDataRejected !== false)
    process.once("exit", () => remember(kept, script.createCachedData()));
  script.runInThisContext().call(module.exports, module.exports, load, module, file, dirname(file));
};

function cacheFile(file, load) {
  const { HOME, RETAKE_HOME, XDG_CACHE_HOME } = process.env;
  const cache = [XDG_CACHE_HOME, HOME && join(HOME, ".cache")].find((path) => path && isAbsolute(path));
  if (!RETAKE_HOME && !cache) return undefined;
  const parent = RETAKE_HOME ? join(RETAKE_HOME, "state") : join(cache, "retake");
  // A thread needs other functions than the command that started it.
  const main = load.main ? basename(load.main.filename, ".cjs") : "thread";
  const [, , command = ""] = process.argv;
  const name = /^[a-z]{0,20}$/.test(command) ? command : "other";
  // A dry run ends half way: what it needs is not what the command needs.
  const way = process.argv.includes("--dry-run") ? ["dry"] : [];
  return join(
    parent,
    "code-cache",
    [process.version, process.arch, basename(dirname(file)), main, name, ...way].join("-"),
  );
}

/** V8 trusts a cache that looks right, so a damaged one is told by a hash of it, which stands before it. */
function recall(kept) {
  try {
    const bytes = readFileSync(kept);
    const data = bytes.subarray(HASH_BYTES);
    return bytes.subarray(0, HASH_BYTES).equals(hash("sha256", data, "buffer")) ? data : undefined;
  } catch {
    return undefined;
  }
}

const HASH_BYTES = 32;

function remember(kept, data) {
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    const bytes = Buffer.concat([hash("sha256", data, "buffer"), data]);
    writeFileSync(`${kept}.${process.pid}`, bytes, { mode: 0o600 });
    renameSync(`${kept}.${process.pid}`, kept);
    removeOld(dirname(kept));
  } catch {
    // Then the next process takes as long as this one.
  }
}

/** Those of builds that are no more; one that is still used is made again. */
function removeOld(directory) {
  const month = 30 * 24 * 60 * 60 * 1000;
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (statSync(path).mtimeMs < Date.now() - month) rmSync(path, { force: true });
  }
}
