import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();
let thread: string;

beforeAll(async () => {
  thread = await session.thread("login", "printf 'one\\n' > a.txt", "printf 'two\\n' > a.txt");
});
afterAll(() => session.remove());

/** In order: each test goes on from where the one before left the session. */
describe("takes on the command line", () => {
  test("[A7] branch makes a take up to an entry, with the files as they were then", async () => {
    const done = await session.json("branch", "1.2");
    expect(done).toMatchObject({
      op_id: expect.any(String),
      version: expect.any(Number),
      take: { name: "main_take_1", base_name: "main", active: true, entries: 4 },
      files_reverted: ["a.txt"],
    });
    expect(session.read("a.txt")).toBe("one\n");
    expect(await session.text("undo", "--step")).toContain("✓ Undo: Branch main_take_1");
    expect(session.read("a.txt")).toBe("two\n");
    await session.text("branch", "1");
  });

  test("[D3] takes are listed under their base name, the active one marked", async () => {
    expect((await session.json("takes")).takes).toMatchObject([
      { name: "main", active: false, entries: 8 },
      { name: "main_take_1", active: true, entries: 4 },
    ]);
    expect(await session.text("takes")).toMatch(/^ {3}main +8 entries\n● {4}main_take_1 +4 entries\n/);
  });

  test("[B6] switch brings the other take's files; what was edited by hand stays with the take it was made in", async () => {
    session.write("a.txt", "mine\n");
    expect(await session.text("switch", "main", "--dry-run")).toContain("Would change 1 file; nothing was changed");
    expect(await session.text("switch", "main")).toMatch(/✓ Switch to main\n {2}put-away a.txt \(your edits stay/);
    expect(session.read("a.txt")).toBe("two\n");
    expect(await session.json("switch", "main")).toMatchObject({ op_id: null, message: "main is active already." });
  });

  test("[B7] [B8] [D5] a take is promoted and renamed, onto no name that is taken", async () => {
    const id = String((await session.json("takes")).takes[1]?.["id"]);
    expect(await session.json("promote", "main_take_1", "other")).toMatchObject({
      take: { id, name: "other", base_name: "other" },
    });
    expect(await session.text("rename", "other", "third")).toMatch(/✓ Rename other to third\n.*undo --step/);
    expect(await session.call("rename", "third", "main")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("already"),
    });
    expect(await session.call("promote", "third")).toMatchObject({ status: 2 });
    expect(await session.call("promote", "nothing", "name")).toMatchObject({ status: 4 });
  });

  test("[D5] delete is soft: the active take gives way, and one step back brings it again", async () => {
    expect(await session.json("delete", "main")).toMatchObject({ files_reverted: ["a.txt"] });
    expect((await session.json("takes")).takes).toMatchObject([{ name: "third", active: true }]);
    expect(session.read("a.txt")).toBe("mine\n");
    expect(await session.call("delete", "third")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("only take left"),
    });
    await session.text("undo", "--step");
    expect((await session.json("takes")).takes).toHaveLength(2);
    expect(session.read("a.txt")).toBe("two\n");
  });
});

describe("threads on the command line", () => {
  test("[B6] the one changed last or switched to is the one that commands act on", async () => {
    const second = await session.thread("search");
    expect((await session.json("threads")).threads).toMatchObject([
      { id: second, title: "search", active: true, workspace_root: session.root },
      { id: thread, title: "login", active: false },
    ]);
    expect(await session.text("switch", "login")).toMatch(
      /✓ Switch to login\n {2}Take this back: retake switch search\n/,
    );
    expect(await session.contents(thread)).toHaveLength(8);
    expect(await session.text("threads")).toMatch(/\n● {2}.* {2}login\n/);
    expect(await session.call("entries", "--thread", "T-0")).toMatchObject({ status: 4 });
    expect(await session.call("switch", "nowhere")).toMatchObject({ status: 4 });
  });

  test("[B6] one of another directory is named with that directory, also where this one has no thread", async () => {
    const empty = join(session.root, "empty");
    mkdirSync(empty);
    const switched = (...args: string[]) => session.world({ cwd: empty }).run("switch", thread, ...args);
    expect(await switched("--workspace", empty)).toMatchObject({
      status: 4,
      stderr: expect.stringContaining(`login is a thread of ${session.root}. Name that with --workspace.`),
    });
    expect(await switched("--workspace", session.root)).toMatchObject({ status: 0 });
  });

  test("[D5] a thread is renamed onto no name that is taken, and deleted softly, but never the last", async () => {
    expect(await session.call("rename", "search", "login")).toMatchObject({ status: 1 });
    expect(await session.text("rename", "search", "find")).toMatch(
      /✓ Rename the thread to find\n.*undo --step --thread T-/,
    );
    await session.text("switch", "find");
    const { thread: deleted } = await session.json("delete", "find");
    expect((await session.json("threads")).threads).toMatchObject([{ title: "login", active: true }]);
    expect(await session.call("delete", thread)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("only thread"),
    });
    await session.text("undo", "--step", "--thread", String(deleted));
    expect((await session.json("threads")).threads).toHaveLength(2);
  });
});
