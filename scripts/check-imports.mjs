// Proves that imports point one way: between packages as docs/architecture.md draws them, inside
// core from the shell to the kernel, and nowhere in a circle. Also that nothing but `main` reads the process.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { root } from "./setup.mjs";

/** Which packages each package may import. A package that is not here may not exist. */
const packages = {
  core: [],
  workspace: [],
  runtime: ["workspace", "core"],
  client: ["core"],
  "sync-server": ["core"],
  server: ["runtime", "client", "core"],
  tui: ["client", "core"],
  web: ["client", "core"],
  cli: ["runtime", "workspace", "client", "server", "tui", "web", "sync-server", "core"],
};

/** The packages from which each may import types, and nothing else. */
const types = { runtime: ["client"] };

/** The folders of a package's `src`, from the lowest layer up: each may import those before it, and no others. */
const layers = {
  workspace: ["database", "model", "objects", "scan", "restore", "capture"],
  runtime: [
    ...["store", "model", "config", "search", "events", "tools", "mcp", "undo", "gc", "runner", "workspace"],
    ...["snapshots", "names", "threads", "answers", "exchange", "sync", "doctor", "host", "actions"],
  ],
};

/** Where a layer is not enough: which folders of core/src each folder may import besides itself. */
const coreFolders = {
  values: [],
  session: ["values"],
  operations: ["values", "session"],
  history: ["values", "session", "operations"],
  agent: ["values", "session", "operations", "provider"],
  provider: ["values", "session"],
  window: ["values", "session"],
  wire: ["values", "session", "operations", "history", "agent", "provider"],
  sync: ["values", "session", "history"],
};

/** Clock, chance, environment and streams come in once, from `main`. Where else they are read, and why. */
const surroundings = {
  "packages/cli/src/(main|process-world|standard-output|end-in-time).ts": "the process itself",
  "packages/runtime/src/store/(open-store|identity).ts":
    "what a program that names none is given; chance, which the store hands on",
  "packages/runtime/src/model/": "a provider's date (Retry-After) is compared with the real one",
  "packages/runtime/src/runner/tool-calls.ts": "compared with the times of files, which the system's clock gives",
  "packages/runtime/src/sync/pull-worker.ts": "a thread cannot be given the clock of its process, which is a function",
  "packages/runtime/src/exchange/": "the time of a capture that an import makes",
  "packages/workspace/src/": "compared with the times of files; git's own settings",
  "packages/(tui|web)/src/": "screens, which have a process or a page of their own",
};
const surroundingsRead =
  /\bMath\.random\b|\bDate\.now\b|\bnew Date\(\)|\bprocess\.(env|argv|cwd|stdin|stdout|stderr|exit|on)\b/;

const problems = [];
const graph = new Map();

for (const name of readdirSync(join(root, "packages"))) {
  const folder = join(root, "packages", name);
  if (!existsSync(join(folder, "package.json"))) continue;
  if (!(name in packages))
    problems.push(`packages/${name}: not a package of the architecture; add it to scripts/check-imports.mjs`);
  for (const file of sourceFiles(join(folder, "src"))) checkFile(name, file);
}
findCycles();
findUnusedExports();

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}

function checkFile(name, file) {
  const text = readFileSync(file, "utf8");
  const here = relative(root, file);
  const test = /\.test\.tsx?$|\/testing\//.test(file);
  const targets = [];
  graph.set(file, targets);
  for (const specifier of importsOf(file, text)) {
    if (specifier.startsWith(".")) {
      // A bundler takes what it should do with a file as a query.
      const target = resolve(dirname(file), specifier.replace(/\?.*$/, ""));
      if (!existsSync(target)) problems.push(`${here}: '${specifier}' does not exist (write the extension)`);
      const shared = test && dirname(target) === join(root, "testing");
      if (!shared && relative(join(root, "packages", name), target).startsWith("..")) {
        problems.push(`${here}: '${specifier}' reaches into another package; import it by name`);
      }
      targets.push(target);
      if (!test) checkFolder(name, here, file, target);
      continue;
    }
    const ours = /^@retake\/([^/]+)(\/.+)?$/.exec(specifier);
    const onlyTypes =
      types[name]?.includes(ours?.[1]) && !new RegExp(`^(?!import type ).*from "${specifier}"`, "m").test(text);
    if (ours && ours[1] !== name && !packages[name]?.includes(ours[1]) && !onlyTypes) {
      problems.push(`${here}: ${name} may not import ${ours[1]}`);
    }
    if (name === "core" && !test) problems.push(`${here}: core imports nothing, but imports '${specifier}'`);
  }
  const known = Object.keys(surroundings).some((pattern) => new RegExp(`^${pattern}`).test(here));
  if (!test && !known && surroundingsRead.test(text))
    problems.push(`${here}: takes its clock, chance, environment and streams as arguments; main passes them in`);
  if (name === "core" && !test && /\bMath\.random\b|\bDate\.now\b|\bnew Date\(\)|\bawait\b/.test(text)) {
    problems.push(`${here}: core has no clock, no randomness and no promises`);
  }
}

function checkFolder(name, here, file, target) {
  const source = join(root, "packages", name, "src");
  const [from, ...inFrom] = relative(source, file).split("/");
  const [to, ...inTo] = relative(source, target).split("/");
  if (inFrom.length === 0 || inTo.length === 0 || from === to) return;
  const order = layers[name];
  const allowed = name === "core" ? coreFolders[from] : order?.slice(0, order.indexOf(from));
  if ((name === "core" || order) && !allowed?.includes(to))
    problems.push(`${here}: ${name}/src/${from} may not import ${name}/src/${to}`);
}

function importsOf(file, text) {
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) problems.push(`${relative(root, file)}: does not parse: ${errors[0].message}`);
  const requests = [...module.staticImports.map((each) => each.moduleRequest.value)];
  for (const statement of module.staticExports) {
    for (const entry of statement.entries) if (entry.moduleRequest) requests.push(entry.moduleRequest.value);
  }
  for (const each of module.dynamicImports) {
    const literal = /^["'](.+)["']$/.exec(text.slice(each.moduleRequest.start, each.moduleRequest.end));
    if (literal) requests.push(literal[1]);
  }
  return [...new Set(requests)];
}

function findCycles() {
  const done = new Set();
  const path = [];
  const visit = (file) => {
    if (done.has(file)) return;
    const at = path.indexOf(file);
    if (at >= 0) {
      problems.push(`circle: ${[...path.slice(at), file].map((each) => relative(root, each)).join(" → ")}`);
      return;
    }
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
}

/** A package of layers exports only names that another package, an end-to-end test or a benchmark uses. */
function findUnusedExports() {
  const used = new Map();
  const everywhere = [join(root, "packages"), join(root, "bench"), join(root, "e2e")].flatMap((folder) => [
    ...sourceFiles(folder),
  ]);
  for (const file of everywhere) {
    const from = relative(join(root, "packages"), file).split("/")[0];
    const { module } = parseSync(file, readFileSync(file, "utf8"));
    const imports = module.staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.map((entry) => ({ ...entry, moduleRequest })),
    );
    for (const { moduleRequest, importName } of [
      ...imports,
      ...module.staticExports.flatMap(({ entries }) => entries),
    ]) {
      const name = /^@retake\/([^/]+)$|packages\/([^/]+)\/src\/index\.ts$/.exec(moduleRequest?.value ?? "");
      const to = name?.[1] ?? name?.[2];
      if (to !== undefined && to !== from) used.set(to, (used.get(to) ?? new Set()).add(importName.name));
    }
  }
  for (const name of Object.keys(layers)) {
    const index = join(root, "packages", name, "src", "index.ts");
    for (const { entries } of parseSync(index, readFileSync(index, "utf8")).module.staticExports)
      for (const { exportName } of entries)
        if (!used.get(name)?.has(exportName.name))
          problems.push(`packages/${name}/src/index.ts: nobody outside uses ${exportName.name}`);
  }
}

function* sourceFiles(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && /\.tsx?$/.test(entry.name)) yield join(entry.parentPath, entry.name);
  }
}
