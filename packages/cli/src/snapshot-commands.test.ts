import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();
let thread: string;

beforeAll(async () => {
  thread = await session.thread("login", "printf 'one\\n' > a.txt", "printf 'two\\n' >> a.txt; printf 'b\\n' > b.txt");
});
afterAll(() => session.remove());

/** In order: each test goes on from where the one before left the session. */
describe("snapshots on the command line", () => {
  test("[P4] snapshots lists what the turns and their tools left, newest first", async () => {
    const snapshots = await listed();
    expect(snapshots.map(({ kind, label }) => `${kind}: ${label}`)).toEqual([
      "post-turn: After: printf 'two\\n' >> a.txt; printf 'b\\n' > b.txt",
      expect.stringMatching(/^tool: bash printf .* completed$/),
      "pre-turn: Before: printf 'two\\n' >> a.txt; printf 'b\\n' > b.txt",
      "post-turn: After: printf 'one\\n' > a.txt",
      expect.stringMatching(/^tool: bash printf .* completed$/),
      "pre-turn: Before: printf 'one\\n' > a.txt",
    ]);
    expect(snapshots[0]).toEqual({
      id: expect.stringMatching(/^S-[0-9a-f-]{36}$/),
      name: expect.stringMatching(/^S-[0-9a-f-]{6,}$/),
      op_id: (await session.json("history")).operations[0]?.["id"],
      label: expect.any(String),
      kind: "post-turn",
      tree: expect.stringMatching(/^[0-9a-f]{64}$/),
      thread_id: thread,
      turn_id: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      files: 3,
      bytes: 15,
    });
    expect(await listed("2", "--thread", "login")).toEqual(snapshots.slice(0, 2));
    const lines = (await session.text("snapshots", "1")).split("\n");
    expect(lines[0]).toMatch(/^S-[0-9a-f-]{8,} +.*(ago|just now) +post-turn +After: printf/);
    expect(lines[1]).toContain("retake restore <snapshot>");
  });

  test("[P4] the id of a tree is the one git gives the same files", async () => {
    mkdirSync(join(session.root, "sub"));
    session.write("sub/run.sh", "#!/bin/sh\n");
    chmodSync(join(session.root, "sub/run.sh"), 0o755);
    symlinkSync("a.txt", join(session.root, "link"));
    const git = (...args: string[]) =>
      execFileSync("git", [`--git-dir=${session.home}/other.git`, `--work-tree=${session.root}`, ...args], {
        cwd: session.root,
        encoding: "utf8",
      });
    git("init", "-q", "--object-format=sha256");
    git("add", "-A");
    expect((await session.json("snapshot"))["tree"]).toBe(git("write-tree").trim());
    for (const path of ["sub", "link"]) rmSync(join(session.root, path), { recursive: true });
  });

  test("[X4] snapshot says what it covers, and what it does not and why", async () => {
    session.write(".gitignore", "ignored/\n");
    for (const folder of ["ignored", "node_modules"]) mkdirSync(join(session.root, folder));
    session.write("node_modules/x.js", "x");
    const taken = await session.json("snapshot", "before", "the", "change");
    expect(taken).toMatchObject({
      label: "before the change",
      kind: "manual",
      thread_id: thread,
      turn_id: null,
      files: 4,
      receipt: { files: 4, uncovered: expect.arrayContaining([{ path: "node_modules", reason: "cache" }]) },
    });
    expect(taken["op_id"]).toBe((await session.json("history"))["head"]);
    const text = await session.text("snapshot", "again");
    expect(text).toMatch(/^✓ again {2}S-[\s\S]*4 files, \d+ B, tree [0-9a-f]{64}[\s\S]*cache +node_modules/);
    expect(text).toMatch(/retake restore S-/);
    expect(await session.call("snapshot", "x".repeat(5000))).toMatchObject({ status: 2 });
  });

  test("[P4] [U4] [U5] restore of a turn's snapshot takes back the turn's files and keeps what the user wrote", async () => {
    const before = await ofKind("pre-turn");
    expect((await session.json("undo", "--dry-run"))["snapshot_restored"]).toBe(id(before));
    session.write("mine.txt", "mine\n");
    expect(await session.call("restore", id(before))).toMatchObject({ status: 3 });
    expect(await session.json("restore", id(before), "--on-conflict", "keep")).toMatchObject({
      files_reverted: ["a.txt", "b.txt"],
      files_kept: expect.arrayContaining([{ path: "mine.txt", reason: "created-by-user" }]),
    });
    expect([session.read("a.txt"), session.read("b.txt"), session.read("mine.txt")]).toEqual([
      "one\n",
      undefined,
      "mine\n",
    ]);
    await session.text("undo");
    session.write("a.txt", "one\nmy own second line\n");
    const refused = await session.call("restore", id(before), "--json");
    expect(refused.status).toBe(3);
    expect(JSON.parse(refused.stdout).error).toMatchObject({ code: "conflict" });
    expect(session.read("b.txt")).toBe("b\n");
    expect(await session.json("restore", id(before), "--on-conflict", "keep")).toMatchObject({
      files_reverted: ["b.txt"],
      files_kept: expect.arrayContaining([{ path: "a.txt", reason: "overlap" }]),
    });
    await session.text("undo");
    session.write("a.txt", "one\ntwo\n");
    await session.text("snapshot", "again");
  });

  test("[P4] [F22] [X2] restore goes back to a user's own snapshot exactly, and undo takes the restore back", async () => {
    const [own] = await listed("1");
    session.write("a.txt", "rewritten by hand\n");
    session.write("new.txt", "new\n");
    const overwrite = ["--on-conflict", "overwrite"];
    const dry = await session.json("restore", id(own), "--dry-run", ...overwrite);
    expect(dry).toMatchObject({
      op_id: null,
      files_reverted: ["a.txt", "new.txt"],
      files_deleted: ["new.txt"],
      snapshot_restored: id(own),
    });
    expect(session.read("new.txt")).toBe("new\n");
    const done = await session.json("restore", id(own).slice(2, -2), ...overwrite);
    expect(done).toMatchObject({
      op_id: expect.any(String),
      turns_undone: 0,
      messages_removed: 0,
      files_kept: [],
      thread,
      conflicts: [
        { path: "a.txt", kind: "overlap" },
        { path: "new.txt", kind: "created-by-user" },
      ],
      files_reverted: ["a.txt", "new.txt"],
      files_deleted: ["new.txt"],
      snapshot_restored: id(own),
      original_user_text: null,
    });
    expect([session.read("a.txt"), session.read("new.txt")]).toEqual(["one\ntwo\n", undefined]);
    expect((await session.json("snapshot"))["tree"]).toBe(own?.["tree"]);
    expect((await listed("2"))[1]).toMatchObject({ kind: "pre-restore", op_id: done["op_id"] });
    expect(await session.text("undo")).toMatch(/✓ Undo: Restore files from S-/);
    expect([session.read("a.txt"), session.read("new.txt")]).toEqual(["rewritten by hand\n", "new\n"]);
    expect(await session.call("restore", id(own), "--path", "new.txt")).toMatchObject({ status: 3 });
    expect(await session.json("restore", id(own), "--path", "new.txt", ...overwrite)).toMatchObject({
      files_reverted: ["new.txt"],
    });
    expect([session.read("a.txt"), session.read("new.txt")]).toEqual(["rewritten by hand\n", undefined]);
    const text = await session.text("restore", id(own), ...overwrite);
    expect(text).toMatch(/✓ Restore files from S-[\s\S]*a.txt[\s\S]*Take this back: retake undo\n$/);
    expect(await session.json("restore", id(own))).toMatchObject({
      op_id: null,
      message: expect.stringContaining("already"),
    });
  });

  test("[P4] a snapshot of another workspace is not found here", async () => {
    const elsewhere = join(session.home, "elsewhere");
    mkdirSync(elsewhere);
    const foreign = await session.json("snapshot", "--workspace", elsewhere);
    expect(await session.call("restore", String(foreign["id"]))).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("There is no snapshot"),
    });
    expect(await session.call("restore", "S-")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("could be any"),
    });
    expect(await session.call("restore")).toMatchObject({ status: 2 });
    expect(await session.call("snapshots", "none")).toMatchObject({ status: 2 });
  });

  test("[L12] materialize writes any moment into a new directory, and touches none that has something in it", async () => {
    const target = join(session.home, "then");
    expect(await session.json("materialize", "1", target)).toEqual({ directory: target, files: 2 });
    expect(readdirSync(target).sort()).toEqual(["a.txt", "kept.txt"]);
    expect(readFileSync(join(target, "a.txt"), "utf8")).toBe("one\n");
    expect(await session.call("materialize", "2", target)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is not empty. Nothing was written."),
    });
    expect(await session.text("materialize", id(await ofKind("pre-turn")), `${target}-2`)).toContain(
      "✓ 2 files written to",
    );
    expect(await session.call("materialize", "2", "inside")).toMatchObject({ status: 2 });
    expect(existsSync(join(session.root, "inside"))).toBe(false);
    expect(await session.call("materialize", "9", `${target}-3`)).toMatchObject({ status: 4 });
    writeFileSync(join(session.home, "file"), "");
    expect(await session.call("materialize", "1", join(session.home, "file"))).toMatchObject({ status: 1 });
  });
});

describe("a snapshot where there is no thread yet", () => {
  test("[P4] begins one, so that going back can be undone", async () => {
    const fresh = new CliSession("fresh");
    try {
      expect(await fresh.text("snapshots")).toContain("No snapshot in this workspace yet");
      const { id: first } = await fresh.json("snapshot");
      fresh.write("kept.txt", "changed\n");
      await fresh.text("restore", String(first), "--on-conflict", "overwrite");
      expect(fresh.read("kept.txt")).toBe("kept\n");
      await fresh.text("undo");
      expect(fresh.read("kept.txt")).toBe("changed\n");
      expect((await fresh.json("threads")).threads.map(({ title }) => title)).toEqual(["fresh"]);
    } finally {
      fresh.remove();
    }
  });
});

type Item = Readonly<Record<string, string>>;

async function listed(...args: string[]): Promise<readonly Item[]> {
  return (await session.json("snapshots", ...args))["snapshots"] as readonly Item[];
}

async function ofKind(kind: string): Promise<Item | undefined> {
  return (await listed("100")).find((each) => each["kind"] === kind);
}

function id(snapshot: Item | undefined): string {
  return snapshot?.["id"] ?? "";
}

test("[P4] [U5] a directory that was empty, and the user filled, is no conflict: only what is in it is", async () => {
  const own = new CliSession();
  try {
    await own.thread("directories", "mkdir d");
    const { id: snapshot } = await own.json("snapshot", "empty");
    own.write("d/mine.txt", "mine\n");
    await own.json("snapshot", "filled");
    const refused = await own.call("restore", String(snapshot), "--json");
    const { conflicts } = JSON.parse(refused.stdout).error.details as { conflicts: { path: string }[] };
    expect(conflicts.map(({ path }) => path)).toEqual(["d/mine.txt"]);
    await own.json("restore", String(snapshot), "--on-conflict", "overwrite");
    expect(readdirSync(join(own.root, "d"))).toEqual([]);
    await own.json("undo");
    expect(readdirSync(join(own.root, "d"))).toEqual(["mine.txt"]);
  } finally {
    own.remove();
  }
});

test("[P4] a directory that the thread's own undo emptied again is not the user's, though another thread saw it filled", async () => {
  const own = new CliSession();
  try {
    const one = await own.thread("one", "mkdir d");
    const two = await own.thread("two", "true");
    await own.call("run", "--yes", "write d/made.txt: 1", "--thread", one);
    const snapshots = (await own.json("snapshots", "--thread", one))["snapshots"] as { id: string }[];
    await own.call("run", "--yes", "Say hello.", "--thread", two);
    await own.json("undo", "--thread", one);
    await own.json("restore", snapshots[0]?.id ?? "", "--thread", one);
    expect(readdirSync(join(own.root, "d"))).toEqual(["made.txt"]);
  } finally {
    own.remove();
  }
});

test("[P4] [X5] a snapshot is restored in its own thread, and in no other one that is named", async () => {
  const own = new CliSession();
  try {
    const [one, two] = [await own.thread("one", "true"), await own.thread("two", "true")];
    const { id: taken } = await own.json("snapshot", "mine", "--thread", two);
    await own.call("run", "--yes", "write made.txt: 1", "--thread", two);
    expect(await own.call("restore", "mine", "--thread", one)).toMatchObject({
      status: 4,
      stderr: expect.stringContaining(`${String(taken)} is a snapshot of the thread two`),
    });
    expect(own.read("made.txt")).toBe("1");
    expect(await own.json("restore", "mine", "--thread", two)).toMatchObject({ thread: two });
    expect(own.read("made.txt")).toBeUndefined();
  } finally {
    own.remove();
  }
});
