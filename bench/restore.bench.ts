/**
 * Restoring files, beside `git checkout <tree> --pathspec-from-file` of the same files in a side
 * repository with the same work tree, in turns. Two times are measured: until the files are back and
 * no crash or power loss can change that (git's checkout never gets there), which is what a user
 * waits for; and until they are flushed themselves, which happens after that.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDatabase } from "../packages/runtime/src/store/open-database.ts";
import type { Change } from "../packages/workspace/src/model/model.ts";
import { objectId } from "../packages/workspace/src/model/object-id.ts";
import { ObjectStore } from "../packages/workspace/src/objects/object-store.ts";
import { restoreFiles } from "../packages/workspace/src/restore/restore-files.ts";
import { stagesOf } from "../packages/workspace/src/restore/stage.ts";
import { lockWorkspace } from "../packages/workspace/src/restore/workspace-lock.ts";

const rounds = 10;
const treeSizes = [1_000, 10_000, 100_000];
const counts = [1, 10, 100, 1_000];
const bar = 1;
const header = ["tree", "files", "git ms", "back ms", "ratio", "bar", "", "flushed ms"];

let missed = false;
console.log(`restore, medians of ${rounds}: ours crash-safe when back, flushed a little later; git's checkout neither`);
console.log(header.map((cell) => cell.padStart(10)).join(""));
for (const size of treeSizes) {
  const directory = mkdtempSync(join(tmpdir(), "retake-bench-"));
  try {
    await measureTree(directory, size);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
process.exitCode = missed ? 1 : 0;

async function measureTree(directory: string, size: number): Promise<void> {
  const root = join(directory, "workspace");
  const state = join(directory, "state");
  const paths = Array.from({ length: size }, (_, index) => {
    return `d${Math.floor(index / 1000)}/e${Math.floor(index / 50) % 20}/file-${index}.txt`;
  });
  for (const [index, path] of paths.entries()) {
    if (index % 50 === 0) mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), original(index));
  }
  const git = (...args: string[]) =>
    execFileSync("git", ["--git-dir", join(directory, "side.git"), "--work-tree", root, ...args], {
      cwd: root,
      encoding: "utf8",
    }).trim();
  git("init", "-q");
  git("config", "gc.auto", "0");
  git("add", "-A");
  const tree = git("write-tree");

  const database = openDatabase(join(state, "store.sqlite"));
  const objects = new ObjectStore(database, join(state, "packs"));
  const lock = lockWorkspace(state, root);
  if (!lock) throw new Error("the bench's own workspace is locked");
  for (const [index] of paths.entries()) objects.write(original(index));
  objects.flush();
  const pathFile = join(directory, "paths");

  for (const count of counts) {
    const chosen = Array.from({ length: Math.min(count, size) }, (_, index) => Math.floor((index * size) / count));
    const changes: Change[] = chosen.map((index) => ({
      path: paths[index] as string,
      before: stateOf(original(index)),
      after: stateOf(edited(index)),
    }));
    for (const index of chosen) objects.write(edited(index));
    objects.flush();
    writeFileSync(pathFile, chosen.map((index) => `${paths[index]}\n`).join(""));
    const gits: number[] = [];
    const backs: number[] = [];
    const flushes: number[] = [];
    const edit = () => {
      for (const index of chosen) writeFileSync(join(root, paths[index] as string), edited(index));
    };
    const checkout = () => {
      edit();
      // A snapshot before the restore does this anyway; it makes git's index fresh.
      git("add", "-A");
      gits.push(time(() => git("checkout", "-q", tree, `--pathspec-from-file=${pathFile}`)));
      check(root, paths, chosen);
    };
    const restore = async () => {
      edit();
      const start = performance.now();
      const context = { root, database, objects, lock, ...stagesOf(state) };
      const restored = await restoreFiles(context, { transitions: [{ changes }] }, () => 0);
      backs.push(performance.now() - start);
      if (restored.kind !== "restored") throw new Error(restored.kind);
      await restored.flushed;
      flushes.push(performance.now() - start);
      if (restored.plan.actions.length !== chosen.length) throw new Error("not every file was restored");
      check(root, paths, chosen);
    };
    for (let round = 0; round < rounds; round += 1) {
      // Each deletes files, and the file system may make the next to create some pay for it: so each is first as often.
      if (round % 2 === 1) await restore();
      checkout();
      if (round % 2 === 0) await restore();
    }
    report(size, count, median(gits), median(backs), median(flushes));
  }
  lock.release();
  objects.close();
  database.close();
}

function report(size: number, count: number, git: number, back: number, flushed: number): void {
  const ratio = back / git;
  const ok = ratio <= bar;
  if (!ok) missed = true;
  const cells = [size, count, git.toFixed(1), back.toFixed(1), ratio.toFixed(2), `≤ ${bar}`, ok ? "ok" : "MISSED"];
  console.log([...cells, flushed.toFixed(1)].map((cell) => String(cell).padStart(10)).join(""));
}

function original(index: number): Buffer {
  return Buffer.from(`line of file ${index}\n`.repeat(40 + (index % 200)));
}

function edited(index: number): Buffer {
  return Buffer.concat([original(index), Buffer.from("a line more\n")]);
}

function stateOf(content: Buffer) {
  return { kind: "file" as const, hash: objectId("blob", content), size: content.length, mode: 0o644 };
}

function check(root: string, paths: readonly string[], chosen: readonly number[]): void {
  for (const index of chosen) {
    if (!readFileSync(join(root, paths[index] as string)).equals(original(index))) throw new Error("restored wrongly");
  }
}

function time(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
