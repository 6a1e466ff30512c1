/** Every test here tries to make a restore write, read or delete where it must not. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Change, FileState } from "../model/model.ts";
import { recoverRestores } from "./recover-restores.ts";
import { restoreFiles } from "./restore-files.ts";
import { RestoreJournal } from "./restore-journal.ts";
import { Sandbox, whenFlushed } from "./testing/sandbox.ts";

let sandbox: Sandbox;
let outside: string;
beforeEach(() => {
  sandbox = new Sandbox();
  outside = join(sandbox.directory, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "file"), "precious\n");
});
afterEach(() => {
  expect(readdirSync(outside)).toEqual(["file"]);
  expect(readFileSync(join(outside, "file"), "utf8")).toBe("precious\n");
  sandbox.dispose();
});

function fileOf(content: string, mode = 0o644): Extract<FileState, { kind: "file" }> {
  const hash = sandbox.objects.write(Buffer.from(content));
  sandbox.objects.flush();
  return { kind: "file", hash, size: content.length, mode };
}

/** Taking this back writes `content` to `path`, where nothing or the current file is. */
function writing(path: string, content = "attack\n", mode = 0o644): Change {
  return { path, before: fileOf(content, mode) };
}

function replacing(path: string, content = "attack\n", mode = 0o644): Change {
  return { ...writing(path, content, mode), after: fileOf(sandbox.read(path)) };
}

/** Taking this back deletes `path`, which holds `content`. */
function deleting(path: string, content: string): Change {
  return { path, after: fileOf(content) };
}

const restore = async (changes: Change[], meanwhile: () => void = () => {}) =>
  whenFlushed(await restoreFiles(sandbox.context, { transitions: [{ changes }], onConflict: "overwrite" }, meanwhile));

describe("a path that may not be written", () => {
  test.each([
    "../outside/file",
    "d/../../outside/file",
    "/etc/retake-attack",
    ".git/hooks/post-checkout",
    "sub/.GIT/config",
    "git~1/config",
    "a\0b",
    ".retake-stage-x/n0",
  ])("%j is refused before anything changes", async (path) => {
    mkdirSync(sandbox.path(".git"));
    const attempt = restore([writing("harmless"), writing(path)]);
    await expect(attempt).rejects.toMatchObject({ name: "RestoreError", code: "path-refused" });
    await expect(restore([deleting(path, "precious\n")])).rejects.toMatchObject({ code: "path-refused" });
    expect(readdirSync(sandbox.root)).toEqual([".git"]);
    expect(readdirSync(sandbox.path(".git"))).toEqual([]);
  });
});

describe("a symlink in the way", () => {
  test("as a parent is not followed, neither for writing nor for deleting", async () => {
    symlinkSync(outside, sandbox.path("d"));
    const result = await restore([writing("d/new"), writing("d/deep/new"), deleting("d/file", "precious\n")]);
    expect(result.plan.conflicts).toMatchObject([
      { path: "d/deep/new", kind: "type" },
      { path: "d/new", kind: "type" },
    ]);
    expect(result.plan.actions).toEqual([]);
  });

  test("in the place of the file is replaced, not written through", async () => {
    symlinkSync(join(outside, "file"), sandbox.path("f"));
    await restore([writing("f")]);
    expect(lstatSync(sandbox.path("f")).isFile()).toBe(true);
    expect(sandbox.read("f")).toBe("attack\n");
  });

  test("in the same tree does not lead its other files out of the workspace", async () => {
    const target = Buffer.from(outside);
    const hash = sandbox.objects.write(target);
    const link: Change = { path: "d", before: { kind: "link", hash, size: target.length } };
    const result = await restore([link, writing("d/new")]);
    expect(result.plan.conflicts).toMatchObject([{ path: "d/new", kind: "type" }]);
    expect(lstatSync(sandbox.path("d")).isSymbolicLink()).toBe(true);
  });

  test("[X9] that replaces a parent during the restore is not followed", async () => {
    sandbox.write("d/a", "1\n");
    sandbox.write("d/gone", "2\n");
    sandbox.write("other", "3\n");
    const changes = [replacing("d/a"), deleting("d/gone", "2\n"), writing("d/new/deep"), replacing("other")];
    const result = await restore(changes, () => {
      renameSync(sandbox.path("d"), sandbox.path("moved"));
      symlinkSync(outside, sandbox.path("d"));
    });
    expect(result).toMatchObject({ kind: "restored", blocked: ["d/a", "d/new/deep"] });
    expect(sandbox.read("other")).toBe("attack\n");
    expect(readdirSync(sandbox.path("moved"))).toEqual(["a", "gone"]);
  });

  test("[X9] that replaces a parent before a recovery is not followed", async () => {
    const journal = new RestoreJournal(sandbox.database);
    const action = { path: "d/new", before: undefined, after: fileOf("x"), how: "restored" as const, home: 0 };
    journal.begin({ id: "1", root: sandbox.root, homes: [""], actions: [action], boot: "" });
    symlinkSync(outside, sandbox.path("d"));
    const recovery = await recoverRestores(sandbox.context);
    expect(recovery.finished).toMatchObject([{ id: "1", blocked: ["d/new"] }]);
  });

  test("in the place of a stage is not followed when stages are removed", async () => {
    symlinkSync(outside, sandbox.path(`.retake-stage-${sandbox.context.tag}-1`));
    await recoverRestores(sandbox.context);
  });
});

test("replaces a hard link; the file that shared its content keeps it, and its mode", async () => {
  sandbox.write("a", "shared\n");
  for (const path of ["b", "c"]) linkSync(sandbox.path("a"), sandbox.path(path));
  await restore([replacing("a"), replacing("b", "shared\n", 0o600)]);
  expect([sandbox.read("a"), sandbox.read("b"), sandbox.read("c")]).toEqual(["attack\n", "shared\n", "shared\n"]);
  const modes = ["b", "c"].map((path) => statSync(sandbox.path(path)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o644]);
});

test("gives no file setuid, setgid or sticky bits", async () => {
  await restore([writing("suid", "x", 0o4755), writing("sgid", "x", 0o2755), writing("sticky", "x", 0o1777)]);
  const modes = ["suid", "sgid", "sticky"].map((path) => statSync(sandbox.path(path)).mode & 0o7777);
  expect(modes).toEqual([0o755, 0o755, 0o777]);
});

test("neither opens nor replaces a FIFO", async () => {
  execFileSync("mkfifo", [join(sandbox.root, "pipe")]);
  const result = await restore([writing("pipe"), deleting("pipe/x", "x")]);
  expect(result.plan.conflicts).toMatchObject([{ path: "pipe", kind: "type" }]);
  expect(lstatSync(sandbox.path("pipe")).isFIFO()).toBe(true);
});

test("leaves the user's own repository unchanged, byte for byte", async () => {
  const git = (...args: string[]) => execFileSync("git", ["-C", sandbox.root, ...args]);
  git("init", "-q");
  sandbox.write("a", "1\n");
  git("add", "-A");
  const print = () =>
    execFileSync("find", [join(sandbox.root, ".git"), "-printf", "%p %T@ %C@ %s\\n"], { encoding: "utf8" });
  const before = print();
  await restore([replacing("a"), writing("b")]);
  expect(print()).toBe(before);
});

describe("a file that changes after the plan", () => {
  test("[U4] is saved as an object and reported before it is replaced", async () => {
    sandbox.write("a", "left\n");
    sandbox.write("b", "left\n");
    const changes = [replacing("a", "target\n"), deleting("b", "left\n"), writing("c", "target\n")];
    const result = await restore(changes, () => {
      for (const path of ["a", "b", "c"]) sandbox.write(path, `user ${path}\n`);
    });
    if (result.kind !== "restored") throw new Error("refused");
    expect(result.displaced.map(({ path }) => path).sort()).toEqual(["a", "b", "c"]);
    for (const { path, hash } of result.displaced) {
      expect(sandbox.objects.read(hash, path).toString()).toBe(`user ${path}\n`);
    }
    expect([...new RestoreJournal(sandbox.database).objects()].sort()).toEqual(
      result.displaced.map(({ hash }) => hash).sort(),
    );
    expect([sandbox.read("a"), existsSync(sandbox.path("b")), sandbox.read("c")]).toEqual([
      "target\n",
      false,
      "target\n",
    ]);
  });

  test("[U4] is left alone when it is now a directory with files", async () => {
    sandbox.write("a", "left\n");
    sandbox.write("b", "left\n");
    const changes = [replacing("a", "target\n"), deleting("b", "left\n")];
    const result = await restore(changes, () => {
      for (const path of ["a", "b"]) {
        sandbox.remove(path);
        sandbox.write(`${path}/mine`, "mine\n");
      }
    });
    expect(result).toMatchObject({ blocked: ["b", "a"], displaced: [] });
    expect([sandbox.read("a/mine"), sandbox.read("b/mine")]).toEqual(["mine\n", "mine\n"]);
  });
});

describe("a failure is found before anything changes", () => {
  test("too little space", async () => {
    const huge: Change = { path: "big", before: { ...fileOf("x"), size: 2 ** 60 } };
    await expect(restore([writing("small"), huge])).rejects.toMatchObject({ code: "no-space" });
    expect(readdirSync(sandbox.root)).toEqual([]);
  });

  test("an error in the caller's commit", async () => {
    const attempt = restore([writing("a")], () => {
      throw new Error("given up");
    });
    await expect(attempt).rejects.toThrow("given up");
    expect(readdirSync(sandbox.root)).toEqual([]);
    expect(new RestoreJournal(sandbox.database).unfinished(sandbox.root)).toEqual([]);
  });

  test("an object that the store lost", async () => {
    const lost: Change = { path: "a", before: { ...fileOf("x"), hash: "0".repeat(64) } };
    await expect(restore([writing("b"), lost])).rejects.toMatchObject({ name: "ObjectError", code: "missing" });
    expect(readdirSync(sandbox.root)).toEqual([]);
  });

  test("missing permissions", () => {
    sandbox.write("closed/a", "1\n");
    const changes = [writing("b"), replacing("closed/a")];
    writeFileSync(join(sandbox.directory, "changes.json"), JSON.stringify(changes));
    sandbox.close();
    // Root may write anywhere, so the process switches to another user.
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    if (user.uid) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, sandbox.directory]);
    chmodSync(sandbox.path("closed"), 0o555);
    const scenario = join(import.meta.dirname, "testing", "crash-scenario.ts");
    const { stdout } = spawnSync(process.execPath, [scenario, "restore", sandbox.directory], {
      ...user,
      encoding: "utf8",
    });
    chmodSync(sandbox.path("closed"), 0o755);
    if (user.uid) chownSync(sandbox.directory, 0, 0);
    expect(stdout.trim()).toBe("ended with no-permission");
    expect(readdirSync(sandbox.root)).toEqual(["closed"]);
    expect(sandbox.read("closed/a")).toBe("1\n");
    sandbox = new Sandbox(sandbox.directory);
  });
});

test("files on a file system mounted inside the workspace are staged on that file system", async (context) => {
  const mounted = join(sandbox.root, "mounted");
  mkdirSync(mounted);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", mounted]).status !== 0)
    return context.skip("mounting a file system needs rights that are not here");
  try {
    sandbox.write("mounted/d/a", "left\n");
    sandbox.write("mounted/gone", "left\n");
    const changes = [
      replacing("mounted/d/a", "target\n"),
      deleting("mounted/gone", "left\n"),
      writing("b", "target\n"),
    ];
    const given = restore(changes, () => {
      expect(readdirSync(mounted).filter((name) => name.startsWith(".retake-stage"))).toHaveLength(1);
      throw new Error("given up");
    });
    await expect(given).rejects.toThrow("given up");
    expect(readdirSync(mounted).sort()).toEqual(["d", "gone"]);
    await restore(changes);
    expect([sandbox.read("mounted/d/a"), sandbox.read("b")]).toEqual(["target\n", "target\n"]);
    expect(readdirSync(mounted)).toEqual(["d"]);

    // Killed during staging: the journal names the place.
    new RestoreJournal(sandbox.database).announce({
      id: "1",
      root: sandbox.root,
      homes: ["mounted"],
      actions: [],
      boot: "",
    });
    mkdirSync(join(mounted, `.retake-stage-${sandbox.context.tag}-1`));
    await recoverRestores(sandbox.context);
    expect(readdirSync(mounted)).toEqual(["d"]);
  } finally {
    spawnSync("umount", [mounted]);
    rmSync(mounted, { recursive: true, force: true });
  }
});
