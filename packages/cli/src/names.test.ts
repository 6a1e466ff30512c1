import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";
import { typedName } from "./typed-name.ts";

const session = new CliSession();
let thread: string;

beforeAll(async () => {
  thread = await session.thread("log in", "echo 1 > a.txt", "echo 2 > b.txt", "echo 3 > c.txt");
  await session.thread("other");
  await session.text("switch", "log in");
  await session.text("insert", "--content", "by hand");
  await session.text("settings", "temperature", "0.5");
  await session.text("branch", "2");
  await session.text("switch", "main");
});
afterAll(() => session.remove());

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/;

/** The words in a column of what is printed for people. */
async function column(place: number, ...args: string[]): Promise<string[]> {
  const lines = (await session.text(...args)).split("\n");
  return lines
    .filter((line) => line !== "" && !/^ {2}retake/.test(line))
    .map((line) => line.slice(3).split(/ {2,}/)[place] ?? "");
}

describe("names on the command line", () => {
  test("[F60] no screen prints a part of an id, and every name of the history is taken by show, jump and diff", async () => {
    const names = await column(0, "history");
    const letters = expect.stringMatching(/^[k-z]{4,}$/);
    expect(names).toEqual([letters, letters, letters, letters, "#3", "#2", "#1", letters]);
    for (const name of [names[0], names[5], names.at(-1)].map(String)) {
      const shown = await session.json("show", name);
      expect([shown["name"], shown["turn_name"]]).toContain(name);
      for (const command of ["jump", "diff"])
        expect(await session.call(command, name, ...(command === "jump" ? ["--dry-run"] : []))).toMatchObject({
          status: 0,
        });
    }
    for (const name of [names[2], names[5]].map(String))
      expect(await session.call("revert", name, "--dry-run")).toMatchObject({ status: 0, stderr: "" });
    for (const screen of [
      ["history"],
      ["history", "--all"],
      ["entries"],
      ["takes"],
      ["threads"],
      ["compare", "main", "main_take_1"],
      ["status"],
    ])
      expect(await session.text(...screen), screen.join(" ")).not.toMatch(UUID);
  });

  test("[F60] every operation that history --all prints is found by its name, and show says the same of its id", async () => {
    const { operations } = await session.json("history", "--all");
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
    for (const { id = "", name = "" } of operations.filter((_, at) => at % 20 === 0))
      expect(await session.json("show", name)).toEqual(await session.json("show", id));
    const [last] = operations;
    const wrong = `${String(last?.["name"]).slice(0, 3)}zzzzzzzzz`;
    expect(await session.call("show", wrong)).toMatchObject({
      status: 4,
      stderr: expect.stringContaining(String(last?.["name"])),
    });
  });

  test("[F60] every name that entries prints is taken by edit, remove, role, insert --before and branch", async () => {
    const lines = (await session.text("entries")).split("\n").slice(0, -2);
    const names = lines.map((line) => line.split(/ {2,}/)[0] ?? "");
    expect(names.slice(0, 5)).toEqual(["#1.0", "#1.1", "#1.1.1", "#1.2", "#2.0"]);
    expect(names.at(-1)).toMatch(/^[k-z]{12}$/);
    for (const name of [names[2], names.at(-1)].map(String)) {
      expect(await session.call("branch", name, "--dry-run")).toMatchObject({ status: 0 });
      for (const args of [
        ["edit", name, "--content", "x"],
        ["role", name, "Critic"],
        ["insert", "--before", name, "--content", "x"],
        ["remove", name],
      ]) {
        expect(await session.call(...args), args.join(" ")).toMatchObject({ status: 0 });
      }
      await session.text("undo", "--step", "4");
    }
  });

  test("[F60] every name that takes and threads print is taken by switch, promote, rename, compare and delete", async () => {
    expect((await session.json("takes")).takes.map(({ name }) => name)).toEqual(["main", "main_take_1"]);
    expect(await session.call("compare", "main", "main_take_1")).toMatchObject({ status: 0 });
    expect(await session.json("promote", "main_take_1", "second")).toMatchObject({ take: { name: "second" } });
    expect(await session.json("rename", "second", "main_take_1")).toMatchObject({ take: { name: "main_take_1" } });
    const names = (await session.text("threads"))
      .split("\n")
      .slice(0, -2)
      .map((line) => line.split(/ {2,}/).at(-1) ?? "");
    expect(names.toSorted()).toEqual(["log in", "other"]);
    expect(await session.text("switch", "other")).toContain("Take this back: retake switch 'log in'\n");
    expect(await session.call("switch", "log in")).toMatchObject({ status: 0 });
  });

  test("[F60] a thread and its first take have different names, so delete means one of them", async () => {
    expect(await session.json("delete", "log in", "--dry-run")).toMatchObject({ thread });
    expect(await session.text("delete", "main", "--dry-run")).not.toContain("Would delete log in");
    await session.text("rename", "other", "main");
    await session.text("switch", "log in");
    expect(await session.call("delete", "main")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("could be any of these: the thread T-"),
    });
    expect((await session.json("takes")).takes).toHaveLength(2);
    expect((await session.json("threads")).threads).toHaveLength(2);
    const id = String((await session.json("threads")).threads.find(({ title }) => title === "main")?.["id"]);
    // The printed name can be typed.
    expect(await session.text("threads")).toContain(`${id}  main\n`);
    await session.text("rename", id, "other");
    await session.text("switch", "log in");
    expect(await session.text("threads")).not.toMatch(UUID);
  });

  test("[F61] numbers stay where they are after a revert and after a compress", async () => {
    await session.text("revert", "2");
    expect(await column(0, "history")).toEqual(expect.arrayContaining(["#1", "#3"]));
    expect(await session.text("entries")).toMatch(/^#1\.0 [\s\S]*\n#3\.0 /);
    expect(await session.json("show", "3")).toMatchObject({ turn_name: "#3", files: [{ path: "c.txt" }] });
    expect(await session.json("show", "2")).toMatchObject({ turn_name: "#2", files: [{ path: "b.txt" }] });
    await session.text("undo");
    await session.text("compress", "--keep", "2");
    expect(await session.text("entries")).toMatch(/\n#3\.0 /);
    expect(await session.json("show", "3")).toMatchObject({ files: [{ path: "c.txt" }] });
    await session.text("undo");
  });

  test("[F61] jump, diff, materialize and export agree on what 2 is: the end of turn 2, and 2^ is right before it", async () => {
    const written = async (name: string, at: string) => {
      await session.text("materialize", name, join(session.home, at));
      return readdirSync(join(session.home, at)).toSorted();
    };
    expect(await written("2", "after")).toEqual(["a.txt", "b.txt", "kept.txt"]);
    expect(await written("#2^", "before")).toEqual(["a.txt", "kept.txt"]);
    const paths = async (...args: string[]) =>
      ((await session.json("diff", ...args))["files"] as { path: string }[]).map(({ path }) => path);
    expect(await paths("2^", "2")).toEqual(["b.txt"]);
    expect(await paths("2", "3")).toEqual(["c.txt"]);
    expect(await paths("2")).toEqual(["c.txt"]);
    const said = async (at: string) =>
      JSON.parse(await session.text("export", "--at", at)) as { takes: { entries: object[] }[] };
    expect([(await said("2")).takes[0]?.entries.length, (await said("2^")).takes[0]?.entries.length]).toEqual([8, 4]);
    expect(await session.json("jump", "2")).toMatchObject({ op_id: expect.any(String) });
    expect([session.read("b.txt"), session.read("c.txt")]).toEqual(["2\n", undefined]);
    await session.text("undo");
    expect(await session.json("jump", "2^")).toMatchObject({ op_id: expect.any(String) });
    expect([session.read("a.txt"), session.read("b.txt")]).toEqual(["1\n", undefined]);
    await session.text("undo");
    expect(session.read("c.txt")).toBe("3\n");
  });

  test("[F60] names are the same where the thread is imported", async () => {
    const bundle = join(session.home, "bundle");
    await session.text("export", "--format", "bundle", "--output", bundle);
    const elsewhere = new CliSession("elsewhere");
    try {
      await elsewhere.text("import", bundle);
      expect(await elsewhere.text("import", bundle)).toContain(`is the current thread of ${elsewhere.root}.`);
      const shown = async (at: CliSession) => {
        const { operations } = await at.json("history", "--all");
        return [
          (await at.json("entries"))["names"],
          operations.map(({ id, name, turn_name }) => [id, name, turn_name]),
        ];
      };
      expect(await shown(elsewhere)).toEqual(await shown(session));
    } finally {
      elsewhere.remove();
    }
  });
});

test("a name in a command that is shown can be typed in a shell", () => {
  expect(["#7", "#7.2.1^", "mzkq", "main_take_1", "log in", "it's", "a#b"].map(typedName)).toEqual([
    ...["7", "7.2.1^", "mzkq", "main_take_1", "'log in'", "'it'\\''s'", "'a#b'"],
  ]);
});
