/**
 * Makes packages/cli/dist/library, which a program imports that installs the package: `retake/client` and `retake/core`.
 *
 *   dist/library/client.js, core.js   modules for Node and browsers
 *   dist/library/<package>/src/       their types
 *
 * Only a package needs it: the repository imports its sources.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { rolldown } from "rolldown";

const NAMES = ["client", "core"];

/** `aside` is a directory that the caller removes; the library is complete when it is renamed from there. */
export async function buildLibrary({ root, aside, target }) {
  const sources = NAMES.map((name) => join(root, "packages", name, "src", "index.ts"));
  const input = Object.fromEntries(NAMES.map((name, at) => [name, sources[at]]));
  const folder = join(aside, "library");
  const made = await rolldown({ cwd: root, input, platform: "neutral", resolve: { mainFields: ["module", "main"] } });
  await made.write({ dir: folder, format: "es", entryFileNames: "[name].js", chunkFileNames: "shared-[hash].js" });
  await made.close();
  writeTypes({ root, aside, sources, folder });
  rmSync(target, { recursive: true, force: true });
  renameSync(folder, target);
}

function writeTypes({ root, aside, sources, folder }) {
  const config = join(aside, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: join(root, "packages"),
    outDir: folder,
    // Found through node_modules, core counts as a library, whose types the compiler does not write. It loads files in
    // parallel, so without this path that happened in one build of 16.
    paths: { "@retake/core": [sources[NAMES.indexOf("core")]] },
  };
  mkdirSync(aside, { recursive: true });
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include: [], files: sources }),
  );
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [compiler, "-p", config], { stdio: "inherit" });
  if (status !== 0) throw new Error("The types of the library could not be made.");
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!file.endsWith(".d.ts")) continue;
    const path = join(folder, file);
    const core = relative(join(path, ".."), join(folder, "core", "src", "index.js"));
    // Inside the package there is no other package.
    writeFileSync(path, readFileSync(path, "utf8").replaceAll('"@retake/core"', `"${core}"`));
  }
}
