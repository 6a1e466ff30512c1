/**
 * Makes packages/cli/dist: what `retake` runs, and what is published.
 *
 *   dist/retake.cjs      names the build that counts
 *   dist/<build>/        main.cjs, a file for each command, for what they share, and for each thread
 *   dist/<build>/web/    the web UI, built by Vite
 *   dist/library/        the client for other programs, only in a package (build-library.mjs)
 *
 * A build's name is a hash of everything it is made of, so "is it up to date?" is "is it there?". It is
 * written aside and renamed, and retake.cjs last, so nobody ever runs half of one: not after a crash, and
 * not when two build at once, since both make the same.
 *
 * CommonJS, because Node loads it faster than modules: an ES module that imports `node:fs` or `node:util`
 * has every export of it looked up, which loads what they lazily stand for.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, "packages", "cli");
const dist = join(cli, "dist");
const loader = join(root, "scripts", "load-cached.cjs");
const aside = join(cli, `.aside-${process.pid}`);
const removal = { recursive: true, force: true };

/** Whether the present build was made from the present sources. */
export function isBuilt() {
  const name = buildName();
  return existsSync(join(dist, name)) && entryText() === entryTo(name);
}

/**
 * Builds what is missing. Needs the pinned Node and what package-lock.json names. Earlier builds stay for
 * a day, because a process that runs one may not have loaded all of it; `alone` removes them, for a package.
 */
async function build({ alone }) {
  const name = buildName();
  rmSync(aside, removal);
  mkdirSync(aside);
  mkdirSync(dist, { recursive: true });
  try {
    if (!existsSync(join(dist, name))) await bundle(join(dist, name));
    if (entryText() !== entryTo(name)) {
      writeFileSync(join(aside, "retake.cjs"), entryTo(name));
      renameSync(join(aside, "retake.cjs"), join(dist, "retake.cjs"));
    }
    if (alone) {
      const { buildLibrary } = await import("./build-library.mjs");
      await buildLibrary({ root, aside, target: join(dist, "library") });
    }
  } finally {
    rmSync(aside, removal);
  }
  for (const each of readdirSync(dist)) {
    if (each === name || each === "retake.cjs" || (alone && each === "library")) continue;
    if (alone || isOld(join(dist, each))) rmSync(join(dist, each), removal);
  }
}

/** Node's own cache of compiled files is turned on before the first of them is loaded. */
function entryTo(name) {
  return `require("node:module").enableCompileCache();\nrequire("./${name}/main.cjs");\n`;
}

function entryText() {
  const file = join(dist, "retake.cjs");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function isOld(path) {
  const day = 24 * 60 * 60 * 1000;
  // Gone meanwhile, if another process removed it.
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs < Date.now() - day;
}

/** Not of times: a checkout gives every file a new one. */
function buildName() {
  const hash = createHash("sha256");
  for (const file of sources().sort())
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  return hash.digest("hex").slice(0, 12);
}

function sources() {
  const files = [fileURLToPath(import.meta.url), join(root, "package-lock.json"), loader];
  for (const name of readdirSync(join(root, "packages"))) {
    const folder = join(root, "packages", name);
    if (existsSync(join(folder, "package.json"))) files.push(join(folder, "package.json"));
    for (const each of ["index.html", "reader.html", "vite.config.ts"])
      if (existsSync(join(folder, each))) files.push(join(folder, each));
    for (const part of ["src", "public"]) {
      if (!existsSync(join(folder, part))) continue;
      for (const each of readdirSync(join(folder, part), { withFileTypes: true, recursive: true })) {
        if (each.isFile() && !each.name.endsWith(".test.ts")) files.push(join(each.parentPath, each.name));
      }
    }
  }
  return files;
}

async function bundle(target) {
  const { rolldown } = await import("rolldown");
  const made = await rolldown({
    cwd: root,
    input: { main: join(cli, "src", "main.ts") },
    platform: "node",
    // An index only exports: a file that imports one thing of it does not load the rest.
    treeshake: { moduleSideEffects: (id) => !/packages\/[a-z-]+\/src\/index\.ts$/.test(id) },
    plugins: [threads, lazy, plain, cached],
    onLog: (level, log, report) => log.code !== "INEFFECTIVE_DYNAMIC_IMPORT" && report(level, log),
  });
  await made.write({
    dir: join(aside, "build"),
    format: "cjs",
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    // Opening a file costs more than reading one that is longer: what every command needs that opens a thread is in
    // one. The rest, like tools and models, is in files of its own, and `retake --version` loads none of either.
    codeSplitting: {
      groups: [
        // Loaded for the first text with wide characters: its patterns of Unicode scripts take a millisecond to parse.
        { name: "wide", test: /node_modules\/fast-string-truncated-width\//, priority: 2 },
        {
          name: "command",
          test: /packages\/(tui\/src\/text\/[a-z-]+\.ts|runtime\/src\/store\/directories\.ts|cli\/src\/(closest|command|commands|output|run-command|standard-output)\.ts|cli\/package\.json)$/,
          priority: 1,
        },
        {
          name: "session",
          test: /packages\/((core\/src\/(?!sync\/)|workspace\/src)|runtime\/src\/(store|undo|answers|open-|actions\/(action|undo|redo|jump|shared\/(take-back|undo-turns))\.ts)|cli\/src\/[a-z-]+\.ts)/,
          minShareCount: 2,
        },
      ],
    },
  });
  await made.close();
  await buildPage(join(aside, "build", "web"));
  try {
    renameSync(join(aside, "build"), target);
  } catch (error) {
    // Another process was faster, with the same.
    if (!existsSync(target)) throw error;
  }
}

/** The web UI: `web/`, beside main.cjs, which the server serves. */
async function buildPage(outDir) {
  const { build: buildWith } = await import("vite");
  const configFile = join(root, "packages", "web", "vite.config.ts");
  await buildWith({ configFile, logLevel: "warn", build: { outDir, emptyOutDir: false } });
}

/** A thread's file is another way in: `new Worker(new URL("./name.ts", import.meta.url))`. */
const threads = {
  name: "threads",
  transform(code, id) {
    if (!code.includes("new Worker(")) return null;
    return code.replaceAll(/new URL\("(\.\/[a-z-]+-worker)\.ts", import\.meta\.url\)/g, (_, path) => {
      const fileName = `${path.slice(2)}.cjs`;
      this.emitFile({ type: "chunk", id: resolve(dirname(id), `${path}.ts`), fileName });
      return `require("node:path").join(__dirname, "${fileName}")`;
    });
  },
};

/**
 * Loads what not every command needs of Node, and of the bundler, in the first function that uses it. `node:zlib` and
 * `node:child_process` together take a tenth of a short command's time. Only where a name is read as `name.member` and
 * nothing else: a chunk that assigns to it, or hands it on, keeps its `require` at the top.
 */
const lazy = {
  name: "lazy",
  generateBundle(_, files) {
    for (const chunk of Object.values(files)) {
      if (chunk.type !== "chunk") continue;
      for (const [line, name, module] of chunk.code.matchAll(/^(?:let|const) (\w+) = require\("([^"]+)"\);\n/gm)) {
        if (!/^(?:node:|\.\/(?:rolldown-runtime|wide)-)/.test(module)) continue;
        if (neededByAll.has(module)) continue;
        const rest = chunk.code.replace(line, "");
        if (new RegExp(`(?<![.\\w$])${name}\\b(?!\\.\\w)`).test(rest)) continue;
        // Kept: even what is loaded already costs a server's every request a while to be found.
        const kept = `lazy_${name}`;
        const everywhere = new RegExp(`(?<![.\\w$])${name}\\b`, "g");
        chunk.code = `let ${kept};\n${rest.replace(everywhere, `(${kept} ??= require("${module}"))`)}`;
      }
    }
  },
};

/**
 * Exports values instead of functions that return them, from the file that most commands load: its 450 functions are a
 * twentieth of a short command's time. Exports are at the end of a file, where only what is declared with `let` may change
 * later. A namespace is an object with getters, for which the bundler's runtime is not loaded.
 */
const plain = {
  name: "plain",
  generateBundle(_, files) {
    for (const chunk of Object.values(files)) {
      if (chunk.name !== "session") continue;
      const variables = new Set([...chunk.code.matchAll(/^let ([\w$]+)/gm)].map(([, name]) => name));
      chunk.code = chunk.code
        .replaceAll(EXPORT, (text, name, value) => (variables.has(value) ? text : `exports.${name} = ${value};`))
        .replaceAll(NAMESPACE, (_text, members) => `{${members.replaceAll(MEMBER, "get $1() { return $2; }")}}`);
    }
  },
};

const EXPORT =
  /^Object\.defineProperty\(exports, "([\w$]+)", \{\n\tenumerable: true,\n\tget: function\(\) \{\n\t\treturn ([\w$]+);\n\t\}\n\}\);$/gm;
const NAMESPACE =
  /\/\* @__PURE__ \*\/ \(lazy_require_rolldown_runtime \?\?= require\("[^"]+"\)\)\.__exportAll\(\{([^{}]*)\}\)/g;
const MEMBER = /([\w$]+): \(\) => ([\w$.]+)/g;

const neededByAll = new Set(["node:fs", "node:os", "node:path", "node:sqlite", "node:util"]);

/**
 * The file that is worth it is loaded with a cache of its compiled functions (`load-cached.cjs`). It is in ASCII, because
 * one letter beyond Latin-1 makes V8 keep all of it in two bytes a letter.
 */
const cached = {
  name: "cached",
  generateBundle(_, files) {
    const loading = `((module) => {\n${readFileSync(loader, "utf8")}\nreturn module.exports;\n})({})`;
    for (const chunk of Object.values(files)) {
      if (chunk.name !== "session") continue;
      const source = chunk.fileName.replace(/\.cjs$/, ".js");
      const code = `(function (exports, require, module, __filename, __dirname) { ${chunk.code}\n})`;
      this.emitFile({ type: "asset", fileName: source, source: inAscii(code) });
      chunk.code = `${loading}(require("node:path").join(__dirname, "${source}"), module, require);\n`;
    }
  },
};

/** Strings, templates and patterns mean the same with a letter's number in its place. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build({ alone: process.argv.includes("--alone") });
