/**
 * Undo of a turn that changed 10 of 10,000 files, until it is committed and flushed and every file is back in its place,
 * beside what a side repository needs for the files alone: `git checkout`, `git clean`, `git status`, which flush
 * nothing. The files themselves are flushed after the answer; a row of its own has that, too. Each round undoes a turn of
 * its own, as a user does.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { directories, openStoreAndWorkspace, scriptedModel } from "@retake/runtime";
import { BuiltRetake } from "./built-retake.ts";
import { report, sideBySide, type Work } from "./measure.ts";

const rounds = 15;
const size = 10_000;
const changed = 10;
const atMost = 1 / 5;

const built = new BuiltRetake();
const copy = join(built.folder, "copy");
const paths = Array.from({ length: size }, (_, index) => `d${Math.floor(index / 50)}/file-${index}.txt`);
const touched = paths.filter((_, index) => index % (size / changed) === 7);
const prompt = touched.map((path) => `append ${path}: a line more`).join("\n");

try {
  for (const [index, path] of paths.entries()) {
    if (index % 50 === 0) mkdirSync(join(built.root, dirname(path)), { recursive: true });
    writeFileSync(join(built.root, path), original(index));
  }
  cpSync(built.root, copy, { recursive: true });
  const git = sideRepository();
  const rows = [
    { what: "in one process / git checkout, clean, status", ...(await inOneProcess(git, "answered")), atMost },
    { what: "until the files are flushed, too / the same", ...(await inOneProcess(git, "flushed")), atMost: 1 },
    { what: "retake undo / git checkout, clean, status", ...(await sideBySide(rounds, commands(), git)), atMost: 1.5 },
  ];
  report(`undo of a turn that changed ${changed} of ${size.toLocaleString("en")} files`, rows);
} finally {
  built.remove();
}

async function inOneProcess(git: Work, until: "answered" | "flushed"): Promise<{ ours: number; other: number }> {
  const workspace = openStoreAndWorkspace({
    directories: directories({ RETAKE_HOME: built.home }),
    root: built.root,
    version: "0",
  });
  const thread = workspace.currentThread()?.id ?? (await workspace.newThread("bench"));
  const turn = {
    thread,
    prompt,
    model: scriptedModel(),
    mode: "all" as const,
    approve: async () => "deny" as const,
    onEvent: () => {},
    signal: new AbortController().signal,
  };
  // Waits for the flush, as every next holder of the workspace does.
  const flushed = () => workspace.finishInterrupted();
  try {
    // As in any process that stays: the capturing thread runs.
    await workspace.files(thread).ready();
    return await sideBySide(
      rounds,
      {
        prepare: () => workspace.run(turn),
        work: async () => {
          const { kind } = await workspace.undo(thread, { count: 1 });
          if (kind !== "done") throw new Error(kind);
          if (until === "flushed") await flushed();
        },
        settle: flushed,
      },
      git,
    );
  } finally {
    check(built.root);
    await workspace.close();
  }
}

function commands(): Work {
  return { prepare: () => built.run("run", "--yes", prompt), work: () => built.run("undo") };
}

/** The same files and the same change, in a directory of git's own. */
function sideRepository(): Work {
  const git = (...args: string[]) =>
    execFileSync("git", ["--git-dir", join(built.folder, "side.git"), "--work-tree", copy, ...args], {
      cwd: copy,
      encoding: "utf8",
    }).trim();
  git("init", "-q");
  git("config", "gc.auto", "0");
  git("add", "-A");
  const who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
  const before = git(...who, "commit-tree", git("write-tree"), "-m", "-");
  return {
    // The index contains the changes, as after a snapshot of them.
    prepare: () => {
      for (const path of touched) writeFileSync(join(copy, path), "a line more\n", { flag: "a" });
      git("add", "-A");
      git("write-tree");
    },
    work: () => {
      git("checkout", "-q", "-f", before);
      git("clean", "-fdq");
      git("status", "--porcelain");
      check(copy);
    },
  };
}

function check(root: string): void {
  for (const path of touched) {
    const index = paths.indexOf(path);
    if (readFileSync(join(root, path), "utf8") !== original(index)) throw new Error(`${path} is not back`);
  }
}

function original(index: number): string {
  return `line of file ${index}\n`.repeat(40 + (index % 200));
}
