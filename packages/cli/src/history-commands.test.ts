import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();
let thread: string;

beforeAll(async () => {
  thread = await session.thread(
    "login",
    "printf 'one\\n' > a.txt",
    "printf 'two\\n' > b.txt; printf 'more\\n' >> kept.txt",
    "printf 'three\\n' > c.txt",
  );
});
afterAll(() => session.remove());

/** In order: each test goes on from where the one before left the session. */
describe("the history on the command line", () => {
  test("[S1] history lists the turns newest first, with actor and time, and says what can be done", async () => {
    const { operations, can_undo, can_redo, head } = await session.json("history");
    expect(operations.map((each) => each["description"])).toEqual([
      "Turn: printf 'three\\n' > c.txt",
      "Turn: printf 'two\\n' > b.txt; printf 'more\\n' >> kept.txt",
      "Turn: printf 'one\\n' > a.txt",
      "New thread",
    ]);
    expect({ can_undo, can_redo }).toEqual({ can_undo: true, can_redo: false });
    expect(operations[0]).toEqual({
      id: head,
      name: expect.stringMatching(/^[k-z]{4,}$/),
      kind: "turn-finished",
      description: "Turn: printf 'three\\n' > c.txt",
      actor: { kind: "agent", name: "test/model" },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      thread_id: thread,
      take: expect.any(String),
      parents: [expect.any(String)],
      group: expect.any(String),
      turn_id: expect.any(String),
      turn_name: "#3",
      undone: false,
    });
    const lines = (await session.text("history")).split("\n");
    expect(lines[0]).toMatch(/^● {2}#3 +.*(ago|just now) +test\/model +Turn: printf 'three/);
    expect(lines.at(-2)).toContain("retake undo");
    expect(await session.json("redo")).toMatchObject({ op_id: null, message: "Nothing to redo", thread });
  });

  test("[H4] undo --to goes back to before a turn, and is not combined with a number", async () => {
    expect(await session.json("undo", "--to", "2", "--dry-run")).toMatchObject({ turns_undone: 2 });
    expect(await session.call("undo", "--to", "9", "--dry-run")).toMatchObject({ status: 4 });
    for (const more of ["2", "--step"])
      expect(await session.call("undo", "--to", "2", more)).toMatchObject({ status: 2 });
  });

  test("history --all has every operation, and --limit pages through it", async () => {
    const { operations: all } = await session.json("history", "--all");
    expect(all.length).toBeGreaterThan(15);
    const first = await session.json("history", "--all", "--limit", "3");
    expect(first.operations).toEqual(all.slice(0, 3));
    const next = await session.json("history", "--all", "--limit", "2", "--cursor", String(first["cursor"]));
    expect(next.operations).toEqual(all.slice(3, 5));
    expect(await session.text("history", "--limit", "1")).toContain("There is more");
  });

  test("[X3] revert takes a turn in the middle by its number, and a dry run says so first", async () => {
    expect(await session.text("revert", "2", "--dry-run")).toContain("Dry run, nothing was changed: Revert");
    expect(session.read("b.txt")).toBe("two\n");
    expect(await session.json("revert", "2")).toMatchObject({
      turns_undone: 1,
      messages_removed: 4,
      thread,
      conflicts: [],
      files_reverted: ["b.txt", "kept.txt"],
    });
    expect([session.read("a.txt"), session.read("b.txt")]).toEqual(["one\n", undefined]);
    expect(session.read("c.txt")).toBe("three\n");
    expect(await session.text("undo")).toMatch(/✓ Undo: Revert: Turn[\s\S]*Take this back: retake redo\n$/);
    expect(session.read("b.txt")).toBe("two\n");
  });

  test("[X3] with --path only that file of it, and the conversation stays", async () => {
    expect(await session.json("revert", "2", "--path", "./kept.txt")).toMatchObject({
      files_reverted: ["kept.txt"],
      messages_removed: 0,
    });
    expect([session.read("kept.txt"), session.read("b.txt")]).toEqual(["kept\n", "two\n"]);
    expect(await session.contents(thread)).toHaveLength(12);
    await session.text("undo");
    expect(session.read("kept.txt")).toBe("kept\nmore\n");
  });

  test("[X3] parts of one turn are taken back one after the other, then the rest, and come back in turn", async () => {
    const other = new CliSession();
    try {
      other.write("a.txt", "1\n");
      await other.thread("parts", "for f in a b c; do echo 2 >> $f.txt; done");
      const files = () => ["a", "b", "c"].map((name) => other.read(`${name}.txt`));
      expect(await other.json("revert", "1", "--path", "a.txt")).toMatchObject({ files_reverted: ["a.txt"] });
      expect(await other.json("revert", "1", "--path", "b.txt")).toMatchObject({ files_reverted: ["b.txt"] });
      expect(files()).toEqual(["1\n", undefined, "2\n"]);
      expect(await other.json("revert", "1")).toMatchObject({ turns_undone: 1, files_reverted: ["c.txt"] });
      expect(files()).toEqual(["1\n", undefined, undefined]);
      await other.text("undo", "3");
      expect(files()).toEqual(["1\n2\n", "2\n", "2\n"]);
      await other.text("undo");
      expect(files()).toEqual(["1\n", undefined, undefined]);
    } finally {
      other.remove();
    }
  });

  test("[X3] with --hunk only that change in a file, by the number that show prints", async () => {
    const other = new CliSession();
    try {
      const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
      other.write("long.txt", `${lines.join("\n")}\n`);
      await other.thread("hunks", "sed -i -e '2s/$/ changed/' -e '18s/$/ changed/' long.txt");
      expect(await other.text("show", "1")).toMatch(/@@ -1,5 \+1,5 @@ #0\n[\s\S]*@@ -15,6 \+15,6 @@ #1\n/);
      expect(await other.json("revert", "1", "--hunk", "long.txt:1")).toMatchObject({ files_reverted: ["long.txt"] });
      expect(other.read("long.txt")?.match(/changed/g)).toHaveLength(1);
      expect(other.read("long.txt")).toContain("line 1 changed");
      await other.text("undo");
      expect(other.read("long.txt")?.match(/changed/g)).toHaveLength(2);
      expect((await other.call("revert", "1", "--hunk", "long.txt:7")).stderr).toContain("has no such hunks");
      expect(await other.call("revert", "1", "--hunk", "long.txt")).toMatchObject({ status: 2 });
      expect(other.read("long.txt")?.match(/changed/g)).toHaveLength(2);
    } finally {
      other.remove();
    }
  });

  test.each(["call-3", "3.1.1", "#3.1.1"])("[X3] [F60] one tool call, by its id or its name: %s", async (name) => {
    expect(await session.json("revert", name)).toMatchObject({ files_reverted: ["c.txt"], messages_removed: 1 });
    expect(session.read("c.txt")).toBeUndefined();
    await session.text("undo");
    expect(session.read("c.txt")).toBe("three\n");
  });

  test("revert refuses what is not there, what is no turn, call or operation, and conflicts, each with its exit code", async () => {
    expect(await session.call("revert", "9")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("Near it: #3"),
    });
    expect(await session.call("revert", "#3.1")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("#3.1.1"),
    });
    expect(await session.call("revert", "0")).toMatchObject({ status: 4 });
    expect(await session.call("revert")).toMatchObject({ status: 2 });
    session.write("b.txt", "mine\n");
    const refused = await session.call("revert", "2", "--json");
    expect(refused.status).toBe(3);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      error: { code: "conflict", details: { conflicts: [{ path: "b.txt" }] } },
    });
    expect([session.read("b.txt"), session.read("kept.txt")]).toEqual(["mine\n", "kept\nmore\n"]);
    session.write("b.txt", "two\n");
  });

  test("[U8] redo brings back what undo took, and says how to take that back", async () => {
    expect(await session.json("undo", "2")).toMatchObject({ turns_undone: 2, messages_removed: 8 });
    expect([session.read("b.txt"), session.read("c.txt")]).toEqual([undefined, undefined]);
    expect(await session.json("history")).toMatchObject({ can_redo: true });
    expect(await session.text("redo")).toMatch(/✓ Redo 2 turns[\s\S]*Take this back: retake undo 2\n$/);
    expect([session.read("b.txt"), session.read("c.txt")]).toEqual(["two\n", "three\n"]);
  });

  test("show tells what a turn did to the conversation and the files", async () => {
    const id = await turnThatMade("b.txt");
    const shown = await session.json("show", id);
    for (const name of ["2", "#2", String(shown["name"]), String(shown["turn_id"])])
      expect(await session.json("show", name), name).toEqual(shown);
    expect(shown).toMatchObject({ id, kind: "turn-finished", thread_id: thread });
    expect(shown["files"]).toMatchObject([
      { path: "b.txt", status: "added", additions: 1 },
      { path: "kept.txt", status: "modified", additions: 1, hunks: [{ lines: [" kept", "+more"], edits: [0] }] },
    ]);
    expect(shown.changes.filter(({ record }) => record?.includes("/entry:"))).toHaveLength(4);
    const text = await session.text("show", id);
    expect(text).toContain(`operation  ${shown["name"]}  ${id}`);
    expect(text).toContain("turn       #2\n");
    expect(text).toMatch(/added {4}#2\.2 AI entry "Done."/);
    expect(text).toMatch(/--- a\/kept.txt\n\+\+\+ b\/kept.txt\n@@ -1 \+1,2 @@ #0\n kept\n\+more\n/);
  });

  test("[X15] [X3] show of a call, or of its operation, tells what a revert of that call would take back", async () => {
    const other = new CliSession();
    try {
      await other.call("run", "--yes", "write x.txt: x\nwrite y.txt: y\nrun echo z > z.txt");
      const paths = (list: unknown) => (list as { path: string }[]).map(({ path }) => path);
      for (const [name, path] of Object.entries({ "1.1.1": "x.txt", "1.1.2": "y.txt", "1.1.3": "z.txt" })) {
        const shown = await other.json("show", name);
        const { files } = await other.json("revert", name, "--dry-run");
        expect([paths(shown["files"]), paths(files)]).toEqual([[path], [path]]);
        expect(shown.changes).toMatchObject([{ name: `#${name}`, status: "added" }]);
        expect(await other.json("show", String(shown["name"]))).toEqual(shown);
        expect(await other.text("show", name)).toContain(`retake revert ${name}`);
      }
    } finally {
      other.remove();
    }
  });

  test("[S1] jump goes to any point, with the files, and one undo goes back", async () => {
    expect(await session.text("jump", await turnThatMade("a.txt"))).toMatch(
      /✓ Jump to[\s\S]*Take this back: retake undo\n$/,
    );
    expect(await session.contents(thread)).toHaveLength(4);
    expect([session.read("a.txt"), session.read("b.txt")]).toEqual(["one\n", undefined]);
    expect(await session.json("undo")).toMatchObject({ files_reverted: ["b.txt", "c.txt", "kept.txt"] });
    expect(await session.contents(thread)).toHaveLength(12);
  });

  test("what names no point is not found", async () => {
    expect(await session.call("show", "zz")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('no point "zz" in this thread.'),
    });
    expect(await session.call("jump", "0", "--json")).toMatchObject({
      status: 4,
      stdout: expect.stringContaining('"code":"not-found"'),
    });
    expect(await session.call("jump")).toMatchObject({ status: 2 });
    expect(await session.call("history", "more")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Usage:"),
    });
    expect(await session.call("redo", "--on-conflict", "guess")).toMatchObject({ status: 2 });
  });
});

/** The operation that a turn ended with. */
async function turnThatMade(path: string): Promise<string> {
  const turn = (await session.json("history")).operations.find(
    ({ kind, description }) => kind === "turn-finished" && description?.includes(path),
  );
  return turn?.["id"] ?? "";
}
