/**
 * Capturing files, beside `git add -A` + `git write-tree` in a side repository with the same work tree. Both see the
 * same changes in the same run; the figure is the ratio of their medians.
 *
 * RETAKE_BENCH_SIZES=1000,10000 and RETAKE_BENCH_ROUNDS=7 make it shorter.
 */
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openFiles, type WorkspaceFiles } from "../packages/workspace/src/index.ts";

const sizes = (process.env["RETAKE_BENCH_SIZES"] ?? "1000,10000,100000").split(",").map(Number);
const rounds = Number(process.env["RETAKE_BENCH_ROUNDS"] ?? 7);
const changedFiles = [0, 1, 10, 100];
const turns = 200;

let missed = false;

if (process.argv[2] === "memory") {
  await reportMemory(process.argv[3] ?? "", process.argv[4] ?? "");
} else {
  console.log(`capture: medians of ${rounds}; the ratio is git's time over ours unless it says otherwise`);
  console.log("  files    what                            git ms     ours ms    ratio   bar");
  for (const size of sizes) await inTemporary((folder) => measureTree(folder, size));
  await inTemporary(measureStorage);
  process.exitCode = missed ? 1 : 0;
}

async function measureTree(folder: string, size: number): Promise<void> {
  const root = join(folder, "work");
  const paths = makeTree(root, size);
  const firsts = { git: [] as number[], ours: [] as number[], floor: [] as number[] };
  let git = newRepository(folder, root, 0);
  for (let round = 0; round < rounds; round += 1) {
    git = newRepository(folder, root, round);
    firsts.floor.push(timed(() => floor(root)));
    firsts.git.push(timed(() => capture(git)));
    const store = join(folder, `first-${round}`);
    const workspace = openFiles({ root, store, caches: [], watch: false });
    await workspace.ready();
    firsts.ours.push(await timedAsync(() => workspace.capture()));
    await workspace.close();
    rmSync(store, { recursive: true });
  }
  const bars = size >= 100_000 ? { git: 5, floor: 2 } : {};
  row(size, "first capture", median(firsts.git), median(firsts.ours), bars.git);
  rowAtMost(size, "first capture / floor", median(firsts.floor), median(firsts.ours), bars.floor);

  const workspace = openFiles({ root, store: join(folder, "store"), caches: [] });
  await workspace.capture();
  await untilHinted(workspace);
  for (const hints of [false, true]) {
    for (const count of changedFiles) {
      const times = { git: [] as number[], ours: [] as number[] };
      for (let round = 0; round < rounds; round += 1) {
        const edit = `\n// ${hints} ${count} ${round}\n`;
        for (let index = 0; index < count; index += 1) {
          const at = paths[(index * 7919 + round * 131) % paths.length] ?? "";
          writeFileSync(join(root, at), `${readFileSync(join(root, at))}${edit}`);
        }
        let changed = -1;
        times.ours.push(
          await timedAsync(async () => {
            const { receipt } = await workspace.capture({ hints });
            changed = receipt.changed;
          }),
        );
        if (changed !== count) throw new Error(`${changed} changes found where ${count} were made`);
        times.git.push(timed(() => capture(git)));
      }
      const bar = size < 10_000 ? undefined : hints ? 50 : 2;
      const what = `${hints ? "hints" : "full scan"}, ${count} changed`;
      row(size, what, median(times.git), median(times.ours), bar);
    }
  }
  await workspace.close();
  measureMemory(folder, root, size);
}

/** Walk, read, hash: the least work of any program that reads every file once. */
function floor(root: string): number {
  let files = 0;
  const pending = [root];
  for (let at = pending.pop(); at; at = pending.pop()) {
    for (const name of readdirSync(at)) {
      const path = join(at, name);
      if (lstatSync(path).isDirectory()) {
        pending.push(path);
        continue;
      }
      hash("sha256", readFileSync(path), "hex");
      files += 1;
    }
  }
  return files;
}

/** 200 turns of edits, as an agent makes them: three in small files, one in a large one. Measures space on disk. */
async function measureStorage(folder: string): Promise<void> {
  const root = join(folder, "work");
  const large = Array.from({ length: 12 }, (_, index) => `large/module-${index}.ts`);
  const paths = makeTree(root, 500);
  mkdirSync(join(root, "large"));
  large.forEach((path, index) => {
    const parts = paths.slice(index * 40, (index + 1) * 40).map((part) => readFileSync(join(root, part)));
    writeFileSync(join(root, path), Buffer.concat(parts));
  });
  const git = newRepository(folder, root, 0);
  git("config", "user.name", "bench");
  git("config", "user.email", "bench@localhost");
  const store = join(folder, "store");
  const workspace = openFiles({ root, store, caches: [], watch: false });
  let commit = "";
  const random = randomFrom(7);
  for (let turn = 0; turn <= turns; turn += 1) {
    for (let edit = 0; turn > 0 && edit < 4; edit += 1) {
      const among = edit === 0 ? large : paths;
      const path = join(root, among[Math.floor(random() ** 3 * among.length)] ?? "");
      const lines = readFileSync(path, "utf8").split("\n");
      lines.splice(Math.floor(random() * lines.length), Math.floor(random() * 3), `// turn ${turn}: ${random()}`);
      writeFileSync(path, lines.join("\n"));
    }
    await workspace.capture();
    const tree = capture(git);
    commit = git("commit-tree", tree, "-m", `turn ${turn}`, ...(commit ? ["-p", commit] : []));
  }
  await workspace.close();
  git("update-ref", "refs/heads/main", commit);
  const ours = bytesIn(store);
  const loose = bytesIn(join(folder, "git-0", "objects"));
  git("gc", "-q", "--prune=now");
  const packed = bytesIn(join(folder, "git-0", "objects"));
  const kilobytes = (bytes: number) => Math.round(bytes / 1024);
  console.log(
    `  storage after ${turns} turns: ours ${kilobytes(ours)} KB, git gc ${kilobytes(packed)} KB, loose ${kilobytes(loose)} KB`,
  );
  verdict(`  ours / git gc ${(ours / packed).toFixed(2)}, bar at most 3`, ours / packed <= 3);
  verdict(`  ours / loose objects ${(ours / loose).toFixed(3)}, bar at most 0.1`, ours / loose <= 0.1);
}

/**
 * In a process of its own, beside one that does nothing. With Node's compile cache, as the command
 * line has it: without, every thread loads the compiler that strips types.
 */
function measureMemory(folder: string, root: string, size: number): void {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compile-cache") };
  const run = (...args: string[]) =>
    JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", env })) as { now: number };
  const script =
    "console.log(JSON.stringify({now:process.memoryUsage.rss(),peak:process.resourceUsage().maxRSS*1024}))";
  const empty = run("-e", script);
  const measured = () => {
    const store = mkdtempSync(join(folder, "memory-"));
    return run(fileURLToPath(import.meta.url), "memory", root, store);
  };
  // The first fills the compile cache.
  measured();
  const ours = measured();
  const above = (ours.now - empty.now) / 1e6;
  const text = `  ${String(size).padEnd(8)} memory above an empty Node ${above.toFixed(0)} MB`;
  if (size < 100_000) console.log(text);
  else verdict(`${text}, bar at most 200 MB`, above <= 200);
}

async function reportMemory(root: string, store: string): Promise<void> {
  const workspace = openFiles({ root, store, caches: [] });
  await workspace.capture();
  await untilHinted(workspace);
  await workspace.capture();
  console.log(JSON.stringify({ now: process.memoryUsage.rss() }));
  await workspace.close();
}

async function untilHinted(workspace: WorkspaceFiles): Promise<void> {
  for (let waited = 0; waited < 600; waited += 1) {
    await workspace.capture();
    if ((await workspace.capture({ hints: true })).receipt.foundBy === "hints") return;
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  throw new Error("the watcher does not come up");
}

/** Source-like files of 1 to 8 KB, about a dozen in a directory. */
function makeTree(root: string, size: number): string[] {
  const random = randomFrom(size);
  const words = Array.from({ length: 2_000 }, () => Math.floor(random() * 36 ** 6).toString(36));
  const word = () => words[Math.floor(random() ** 2 * words.length)] ?? "";
  const letters = words.slice(0, 31).map((each) => each.slice(0, 1));
  const paths = Array.from({ length: size }, (_, index) => {
    const directory = Math.floor(index / 12);
    return `${letters[directory % 31]}/p${directory % 97}/d${directory}/${word()}-${index}.ts`;
  });
  for (const path of paths) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    const lines = Array.from({ length: 10 + Math.floor(random() ** 2 * 140) }, () => {
      return `${" ".repeat(2 * Math.floor(random() * 4))}const ${word()} = ${word()}(${word()}, "${word()}");`;
    });
    writeFileSync(join(root, path), lines.join("\n"));
  }
  return paths;
}

function newRepository(folder: string, root: string, index: number): (...args: string[]) => string {
  const directory = join(folder, `git-${index}`);
  rmSync(join(folder, `git-${index - 1}`), { recursive: true, force: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["--git-dir", directory, "--work-tree", root, ...args], { cwd: root, encoding: "utf8" }).trim();
  git("init", "-q");
  git("config", "gc.auto", "0");
  return git;
}

function capture(git: (...args: string[]) => string): string {
  git("add", "-A");
  return git("write-tree");
}

async function inTemporary(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "retake-bench-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(size: number, what: string, git: number, ours: number, bar: number | undefined): void {
  const ratio = git / ours;
  const text = `  ${String(size).padEnd(8)} ${what.padEnd(28)} ${git.toFixed(1).padStart(9)}  ${ours.toFixed(1).padStart(10)} ${ratio.toFixed(1).padStart(8)}`;
  if (bar === undefined) console.log(text);
  else verdict(`${text}   ${bar}`, ratio >= bar);
}

/** Beside the floor instead of git, and the other way round: ours over it. */
function rowAtMost(size: number, what: string, floorTime: number, ours: number, bar: number | undefined): void {
  const ratio = ours / floorTime;
  const text = `  ${String(size).padEnd(8)} ${what.padEnd(28)} ${floorTime.toFixed(1).padStart(9)}  ${ours.toFixed(1).padStart(10)} ${ratio.toFixed(2).padStart(8)}`;
  if (bar === undefined) console.log(text);
  else verdict(`${text}   at most ${bar}`, ratio <= bar);
}

function verdict(text: string, ok: boolean): void {
  console.log(`${text}  ${ok ? "ok" : "MISSED"}`);
  if (!ok) missed = true;
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

async function timedAsync(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.blocks * 512 : 0), 0);
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
