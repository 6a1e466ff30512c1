import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAIN } from "../../../testing/main.ts";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();

beforeAll(async () => {
  await session.thread(
    "login",
    "printf 'one\\n' > a.txt; printf 'moved\\n' > old.txt",
    "printf 'two\\n' >> a.txt; mv old.txt new.txt; rm kept.txt; printf 'x\\000y' > bin",
  );
  session.write("a.txt", "one\ntwo\nmine\n");
});
afterAll(() => session.remove());

describe("retake diff", () => {
  test("without anything named, shows what differs since the last turn began, as git would", async () => {
    expect(await session.text("diff")).toBe(`diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1 +1,3 @@ #0
 one
+two
+mine
diff --git a/bin b/bin
new file mode 100644
Binary files /dev/null and b/bin differ
diff --git a/kept.txt b/kept.txt
deleted file mode 100644
--- a/kept.txt
+++ /dev/null
@@ -1 +0,0 @@ #0
-kept
diff --git a/old.txt b/new.txt
similarity index 100%
rename from old.txt
rename to new.txt
`);
  });

  test("[F61] a turn is its end on either side, and with ^ the moment right before it", async () => {
    expect((await session.json("diff", "1", "1"))["files"]).toEqual([]);
    expect((await session.json("diff", "1^", "#1"))["files"]).toEqual([
      {
        path: "a.txt",
        status: "added",
        change: expect.any(String),
        additions: 1,
        deletions: 0,
        new_mode: "100644",
        hunks: [{ old_start: 0, old_lines: 0, new_start: 1, new_lines: 1, lines: ["+one"], edits: [0] }],
      },
      expect.objectContaining({ path: "old.txt", status: "added" }),
    ]);
    const files = (await session.json("diff", "1", "now", "--stat"))["files"] as { path: string }[];
    expect(files.find(({ path }) => path === "new.txt")).toEqual({
      path: "new.txt",
      status: "renamed",
      old_path: "old.txt",
      change: expect.any(String),
      additions: 0,
      deletions: 0,
      old_mode: "100644",
      new_mode: "100644",
    });
    expect(files.find(({ path }) => path === "bin")).toMatchObject({ status: "added", binary: true });
  });

  test("--stat says how much of each file, operations can be named, and nothing is said to differ", async () => {
    const [head, first] = (await session.json("history")).operations.map(({ id = "" }) => id);
    expect(await session.text("diff", first ?? "", head ?? "", "--stat")).toBe(
      " a.txt             | 1 +\n bin               | added, binary\n kept.txt          | 1 -\n" +
        " old.txt → new.txt | renamed\n 4 files, 1 line added, 1 removed\n",
    );
    expect(await session.text("diff", "now")).toBe("No file differs.\n");
  });

  test("who reads it may stop reading, and no error is shown", () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index}\n`).join("");
    session.write("long.txt", lines);
    const { status, stdout, stderr } = spawnSync(`"${process.execPath}" "${MAIN}" diff | head -n 1`, {
      shell: true,
      cwd: session.root,
      encoding: "utf8",
      env: { ...process.env, RETAKE_HOME: session.home },
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "diff --git a/a.txt b/a.txt\n", stderr: "" });
  });

  test("what cannot be found is named", async () => {
    expect(await session.call("diff", "7")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('no turn "7"'),
    });
    expect(await session.call("diff", "zz")).toMatchObject({ status: 4 });
    expect(await session.call("diff", "1", "2", "3")).toMatchObject({ status: 2 });
  });
});
