import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sideBySide } from "./side-by-side.ts";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();

beforeAll(async () => {
  await session.thread("login", "printf 'one\\n' > a.txt", "printf 'two\\n' >> a.txt; printf 'b\\n' > b.txt");
  await session.text("branch", "1");
  session.write("mine.txt", "mine\n");
});
afterAll(() => session.remove());

describe("retake compare", () => {
  test("[X6] says what two takes have in common, what each has of its own, and how the files differ", async () => {
    const compared = await session.json("compare", "main", "main_take_1");
    expect(compared).toMatchObject({
      a: { name: "main", active: false, entries: 8 },
      b: { name: "main_take_1", active: true, entries: 4 },
      common: 4,
      names: {},
      entries: { a: [{ role: "User" }, { role: "AI" }, { role: "Tool" }, { content: "Done." }], b: [] },
      files: [
        { path: "a.txt", status: "modified", additions: 0, deletions: 1, hunks: [{ lines: [" one", "-two"] }] },
        { path: "b.txt", status: "removed" },
        { path: "mine.txt", status: "added" },
      ],
    });
  });

  test("[X6] for people, one take after the other where there is no wide terminal", async () => {
    expect(await session.text("compare", "main_take_1", "main")).toBe(`4 entries in common
main_take_1
  (nothing of its own)
main
  #2.0 User: printf 'two\\n' >> a.txt; printf 'b\\n' > b.txt
  #2.1 AI: (calls bash)
  #2.1.1 Tool: ok
  #2.2 AI: Done.
Files, from main_take_1 to main
 a.txt    | 1 +
 b.txt    | 1 +
 mine.txt | 1 -
 3 files, 2 lines added, 1 removed
  retake switch <take> · retake restore --take <take> --path <file> · retake promote <take> <name>
`);
  });

  test("[X6] a file of the other take is brought over alone, and undo takes that back", async () => {
    expect(await session.call("restore", "--take", "main", "snapshot")).toMatchObject({ status: 2 });
    expect(await session.text("restore", "--take", "main", "--path", "b.txt", "--dry-run")).toContain("b.txt");
    expect(session.read("b.txt")).toBeUndefined();
    expect(await session.text("restore", "--take", "main", "--path", "b.txt")).toContain("b.txt");
    expect([session.read("a.txt"), session.read("b.txt")]).toEqual(["one\n", "b\n"]);
    await session.text("undo");
    expect(session.read("b.txt")).toBeUndefined();
  });

  test("takes that are not there, or one take twice, are refused", async () => {
    expect(await session.call("compare", "main", "nobody")).toMatchObject({ status: 4 });
    expect(await session.call("compare", "main")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("two takes"),
    });
    expect(await session.call("compare", "main", "main")).toMatchObject({ status: 2 });
  });
});

test("two columns stand side by side, each cut to its half", () => {
  expect(sideBySide(["main", "a long line of the left"], ["other", "right", "more"], 23)).toEqual([
    "main       │ other",
    "a long li… │ right",
    "           │ more",
  ]);
});
