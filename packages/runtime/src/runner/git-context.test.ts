import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitEnvironment } from "@retake/workspace/testing/git-oracle.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type GitContext, noteGitContext, readGitContext } from "./git-context.ts";

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-git-"));
  root = join(folder, "work");
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true }));

const who = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

function git(...args: string[]): string {
  const env = { ...gitEnvironment, ...who };
  return execFileSync("git", args, { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

function repository(...commits: string[]): void {
  git("init", "-q", "-b", "main");
  for (const message of commits) git("commit", "-q", "--allow-empty", "-m", message);
}

/** With all the time that a busy machine may need. */
const look = (at = root) => readGitContext(at, { environment: process.env, timeout_ms: 60_000 });

const commit = (): string => git("rev-parse", "HEAD");

describe("[L10] what is found", () => {
  test("outside a repository nothing", async () => {
    expect(await look()).toBeUndefined();
  });

  test("a branch, its commit, no remote, clean", async () => {
    repository("one");
    expect(await look()).toEqual({ branch: "main", commit: commit(), remote: null, dirty: false });
  });

  test.each([
    ["config", (line: string) => git("config", "filter.evil.clean", line)],
    [
      "an included file",
      (line: string) => {
        writeFileSync(join(root, "more"), `[filter "evil"]\n  clean = "${line}"\n`);
        git("config", "include.path", "../more");
      },
    ],
  ])("[F8] no program that a repository names in %s is run: whether it is clean is then unknown", async (_, plant) => {
    repository("one");
    writeFileSync(join(root, ".gitattributes"), "* filter=evil\n");
    writeFileSync(join(root, "a"), "one");
    git("add", "a");
    plant(`sh -c 'touch ${join(folder, "ran")}; cat'`);
    utimesSync(join(root, "a"), 1, 1);
    expect(await look()).toMatchObject({ branch: "main", dirty: null });
    expect(existsSync(join(folder, "ran"))).toBe(false);
    git("status");
    expect(existsSync(join(folder, "ran"))).toBe(true);
  });

  test("the same from a directory within", async () => {
    repository("one");
    mkdirSync(join(root, "a/b"), { recursive: true });
    expect(await look(join(root, "a/b"))).toMatchObject({ branch: "main", commit: commit() });
  });

  test("a branch without a commit before the first", async () => {
    repository();
    expect(await look()).toEqual({ branch: "main", commit: null, remote: null, dirty: false });
  });

  test("a commit without a branch when HEAD is detached", async () => {
    repository("one", "two");
    git("checkout", "-q", "--detach", "HEAD~1");
    expect(await look()).toMatchObject({ branch: null, commit: commit() });
  });

  test("branches that are packed, with slashes, and with names that end alike", async () => {
    repository("one");
    git("branch", "x/feature/deep");
    git("commit", "-q", "--allow-empty", "-m", "two");
    git("checkout", "-q", "-b", "feature/deep");
    git("pack-refs", "--all");
    expect(await look()).toMatchObject({ branch: "feature/deep", commit: commit() });
    git("commit", "-q", "--allow-empty", "-m", "three");
    expect(await look()).toMatchObject({ branch: "feature/deep", commit: commit() });
  });

  test("commits of 64 digits", async () => {
    git("init", "-q", "-b", "main", "--object-format=sha256");
    git("commit", "-q", "--allow-empty", "-m", "one");
    const seen = await look();
    expect(seen?.commit).toBe(commit());
    expect(seen?.commit).toHaveLength(64);
  });

  test("in a worktree its own HEAD, and the remote of the repository it belongs to", async () => {
    repository("one");
    git("remote", "add", "origin", "https://example.org/x.git");
    git("branch", "other");
    git("commit", "-q", "--allow-empty", "-m", "two");
    git("worktree", "add", "-q", "../tree", "other");
    const context = await look(join(folder, "tree"));
    const remote = "https://example.org/x.git";
    expect(context).toEqual({ branch: "other", commit: git("rev-parse", "other"), remote, dirty: false });
  });

  test("uncommitted changes: an edit, a new file, something staged", async () => {
    repository();
    writeFileSync(join(root, "a"), "1");
    expect((await look())?.dirty).toBe(true);
    git("add", "a");
    expect((await look())?.dirty).toBe(true);
    git("commit", "-q", "-m", "one");
    expect((await look())?.dirty).toBe(false);
    writeFileSync(join(root, "a"), "2");
    expect((await look())?.dirty).toBe(true);
  });

  test("nothing wrong when refs are stored in a form that is not supported", async () => {
    repository("one");
    writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/.invalid\n");
    expect(await look()).toMatchObject({ branch: null, commit: null });
  });

  test("no file outside the refs, whatever HEAD names", async () => {
    repository("one");
    writeFileSync(join(folder, "secret"), `${"a".repeat(40)}\n`);
    writeFileSync(join(root, ".git/HEAD"), "ref: refs/../../../secret\n");
    expect(await look()).toMatchObject({ branch: null, commit: null });
  });

  test("without waiting for a HEAD that is a FIFO", async () => {
    mkdirSync(join(root, ".git"));
    execFileSync("bash", ["-c", "mkfifo .git/HEAD"], { cwd: root });
    expect(await look()).toBeUndefined();
  });
});

const URLS = [
  ["https://example.org/x.git", "https://example.org/x.git"],
  ["https://user:secret@example.org/x.git", "https://example.org/x.git"],
  ["https://token@example.org:8080/@scope/x", "https://example.org:8080/@scope/x"],
  ["https://a:b@c@example.org/x", "https://example.org/x"],
  ["https://example.org/x?private_token=secret", "https://example.org/x"],
  ["ssh://git@example.org:22/x.git", "ssh://git@example.org:22/x.git"],
  ["ssh://git:secret@example.org/x.git", "ssh://git@example.org/x.git"],
  ["git@example.org:team/x.git", "git@example.org:team/x.git"],
  ["user:secret@example.org:x.git", "example.org:x.git"],
  ["/srv/git/x.git", "/srv/git/x.git"],
  ['/srv/od"d #;\\name', '/srv/od"d #;\\name'],
] as const;

const NO_GIT = "/nonexistent/git";

describe("[L10] the remote", () => {
  test("is noted without credentials", async () => {
    repository();
    for (const [url, noted] of URLS) {
      git("config", "remote.origin.url", url);
      expect((await readGitContext(root, { environment: process.env, git: NO_GIT }))?.remote).toBe(noted);
    }
  });

  test("is the branch's own, otherwise origin, otherwise the first", async () => {
    repository("one");
    git("remote", "add", "mirror", "https://example.org/mirror");
    expect((await look())?.remote).toBe("https://example.org/mirror");
    git("remote", "add", "origin", "https://example.org/origin");
    expect((await look())?.remote).toBe("https://example.org/origin");
    git("remote", "add", 'fo"rk.x', "https://example.org/fork");
    git("config", "branch.main.remote", 'fo"rk.x');
    expect((await look())?.remote).toBe("https://example.org/fork");
  });

  test("is read from a config as people write it", async () => {
    repository();
    const config = '# [remote "origin"]\n[Remote "origin"] URL = "https://example.org/a;b" ; why\n\turl = second\n';
    writeFileSync(join(root, ".git/config"), `${readFileSync(join(root, ".git/config"), "utf8")}${config}`);
    expect((await look())?.remote).toBe("https://example.org/a;b");
  });
});

describe("[L10] git itself", () => {
  test("not installed: everything but uncommitted changes is known", async () => {
    repository("one");
    const context = await readGitContext(root, { environment: process.env, git: NO_GIT });
    expect(context).toEqual({ branch: "main", commit: commit(), remote: null, dirty: null });
  });

  test("is abandoned when it does not return", async () => {
    repository("one");
    const stuck = join(folder, "stuck-git");
    writeFileSync(stuck, "#!/bin/sh\nexec sleep 600\n");
    chmodSync(stuck, 0o755);
    expect(await readGitContext(root, { environment: process.env, git: stuck, timeout_ms: 50 })).toMatchObject({
      branch: "main",
      dirty: null,
    });
  });

  test("does not follow the environment to another repository", async () => {
    repository("one");
    writeFileSync(join(root, "new"), "");
    const before = process.env["GIT_DIR"];
    process.env["GIT_DIR"] = join(folder, "elsewhere");
    try {
      expect((await look())?.dirty).toBe(true);
    } finally {
      if (before === undefined) delete process.env["GIT_DIR"];
      else process.env["GIT_DIR"] = before;
    }
  });

  test("writes nothing to the repository, also when the index could be refreshed", async () => {
    repository();
    writeFileSync(join(root, "a"), "1");
    git("add", "a");
    git("commit", "-q", "-m", "one");
    utimesSync(join(root, "a"), 1, 1);
    const index = join(root, ".git/index");
    const before = { bytes: readFileSync(index), ...times(index) };
    expect((await look())?.dirty).toBe(false);
    expect({ bytes: readFileSync(index), ...times(index) }).toEqual(before);
    git("status");
    expect(readFileSync(index).equals(before.bytes)).toBe(false);
  });
});

function times(path: string): { ino: number; mtime: number } {
  const { ino, mtimeMs } = statSync(path);
  return { ino, mtime: mtimeMs };
}

describe("[L10] the thread's note", () => {
  const seen = (of: string | null, dirty = false): GitContext => ({ branch: "main", commit: of, remote: null, dirty });

  test("keeps the start, updates the current state, and collects every commit once, in order", () => {
    let note = noteGitContext(undefined, seen("a", true));
    for (const each of ["b", "a", "c"]) note = noteGitContext(note, seen(each));
    expect(note).toEqual({ start: seen("a", true), now: seen("c"), commits: ["a", "b", "c"] });
  });

  test("a repository that is created later does not change the start", () => {
    const none = noteGitContext(undefined, undefined);
    expect(none).toEqual({ start: null, now: null, commits: [] });
    expect(noteGitContext(none, seen("a"))).toEqual({ start: null, now: seen("a"), commits: ["a"] });
    expect(noteGitContext(undefined, seen(null))["commits"]).toEqual([]);
  });
});
