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
  session.text("switch", "log in");
  session.text("insert", "--content", "by hand");
  session.text("settings", "temperature", "0.5");
  session.text("branch", "2");
  session.text("switch", "main");
});
afterAll(() => session.remove());

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/;

/** The words in a column of what is printed for people. */
function column(place: number, ...args: string[]): string[] {
  const lines = session.text(...args).split("\n");
  return lines
    .filter((line) => line !== "" && !/^ {2}retake/.test(line))
    .map((line) => line.slice(3).split(/ {2,}/)[place] ?? "");
}

describe("names on the command line", () => {
  test("[F60] no screen prints a part of an id, and every name of the history is taken by show, jump and diff", () => {
    const names = column(0, "history");
    const letters = expect.stringMatching(/^[k-z]{4,}$/);
    expect(names).toEqual([letters, letters, letters, letters, "#3", "#2", "#1", letters]);
    for (const name of [names[0], names[5], names.at(-1)].map(String)) {
      const shown = session.json("show", name);
      expect([shown["name"], shown["turn_name"]]).toContain(name);
      for (const command of ["jump", "diff"])
        expect(session.run(command, name, ...(command === "jump" ? ["--dry-run"] : []))).toMatchObject({ status: 0 });
    }
    for (const name of [names[2], names[5]].map(String))
      expect(session.run("revert", name, "--dry-run")).toMatchObject({ status: 0, stderr: "" });
    for (const screen of [
      ["history"],
      ["history", "--all"],
      ["entries"],
      ["takes"],
      ["threads"],
      ["compare", "main", "main_take_1"],
      ["status"],
    ])
      expect(session.text(...screen), screen.join(" ")).not.toMatch(UUID);
  });

  test("[F60] every operation that history --all prints is found by its name, and show says the same of its id", () => {
    const { operations } = session.json("history", "--all");
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
    for (const { id = "", name = "" } of operations.filter((_, at) => at % 20 === 0))
      expect(session.json("show", name)).toEqual(session.json("show", id));
    const [last] = operations;
    const wrong = `${String(last?.["name"]).slice(0, 3)}zzzzzzzzz`;
    expect(session.run("show", wrong)).toMatchObject({
      status: 4,
      stderr: expect.stringContaining(String(last?.["name"])),
    });
  });

  test("[F60] every name that entries prints is taken by edit, remove, role, insert --before and branch", () => {
    const lines = session.text("entries").split("\n").slice(0, -2);
    const names = lines.map((line) => line.split(/ {2,}/)[0] ?? "");
    expect(names.slice(0, 5)).toEqual(["#1.0", "#1.1", "#1.1.1", "#1.2", "#2.0"]);
    expect(names.at(-1)).toMatch(/^[k-z]{12}$/);
    for (const name of [names[2], names.at(-1)].map(String)) {
      expect(session.run("branch", name, "--dry-run")).toMatchObject({ status: 0 });
      for (const args of [
        ["edit", name, "--content", "x"],
        ["role", name, "Critic"],
        ["insert", "--before", name, "--content", "x"],
        ["remove", name],
      ]) {
        expect(session.run(...args), args.join(" ")).toMatchObject({ status: 0 });
      }
      session.text("undo", "--step", "4");
    }
  });

  test("[F60] every name that takes and threads print is taken by switch, promote, rename, compare and delete", () => {
    expect(session.json("takes").takes.map(({ name }) => name)).toEqual(["main", "main_take_1"]);
    expect(session.run("compare", "main", "main_take_1")).toMatchObject({ status: 0 });
    expect(session.json("promote", "main_take_1", "second")).toMatchObject({ take: { name: "second" } });
    expect(session.json("rename", "second", "main_take_1")).toMatchObject({ take: { name: "main_take_1" } });
    const names = session
      .text("threads")
      .split("\n")
      .slice(0, -2)
      .map((line) => line.split(/ {2,}/).at(-1) ?? "");
    expect(names.toSorted()).toEqual(["log in", "other"]);
    expect(session.text("switch", "other")).toContain("Take this back: retake switch 'log in'\n");
    expect(session.run("switch", "log in")).toMatchObject({ status: 0 });
  });

  test("[F60] a thread and its first take have different names, so delete means one of them", () => {
    expect(session.json("delete", "log in", "--dry-run")).toMatchObject({ thread });
    expect(session.text("delete", "main", "--dry-run")).not.toContain("Would delete log in");
    session.text("rename", "other", "main");
    session.text("switch", "log in");
    expect(session.run("delete", "main")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("could be any of these: the thread T-"),
    });
    expect(session.json("takes").takes).toHaveLength(2);
    expect(session.json("threads").threads).toHaveLength(2);
    const id = String(session.json("threads").threads.find(({ title }) => title === "main")?.["id"]);
    // What is printed for it is what can be typed.
    expect(session.text("threads")).toContain(`${id}  main\n`);
    session.text("rename", id, "other");
    session.text("switch", "log in");
    expect(session.text("threads")).not.toMatch(UUID);
  });

  test("[F61] numbers stay where they are after a revert and after a compress", () => {
    session.text("revert", "2");
    expect(column(0, "history")).toEqual(expect.arrayContaining(["#1", "#3"]));
    expect(session.text("entries")).toMatch(/^#1\.0 [\s\S]*\n#3\.0 /);
    expect(session.json("show", "3")).toMatchObject({ turn_name: "#3", files: [{ path: "c.txt" }] });
    expect(session.json("show", "2")).toMatchObject({ turn_name: "#2", files: [{ path: "b.txt" }] });
    session.text("undo");
    session.text("compress", "--keep", "2");
    expect(session.text("entries")).toMatch(/\n#3\.0 /);
    expect(session.json("show", "3")).toMatchObject({ files: [{ path: "c.txt" }] });
    session.text("undo");
  });

  test("[F61] jump, diff, materialize and export agree on what 2 is: the end of turn 2, and 2^ is right before it", () => {
    const written = (name: string, at: string) => {
      session.text("materialize", name, join(session.home, at));
      return readdirSync(join(session.home, at)).toSorted();
    };
    expect(written("2", "after")).toEqual(["a.txt", "b.txt", "kept.txt"]);
    expect(written("#2^", "before")).toEqual(["a.txt", "kept.txt"]);
    const paths = (...args: string[]) =>
      (session.json("diff", ...args)["files"] as { path: string }[]).map(({ path }) => path);
    expect(paths("2^", "2")).toEqual(["b.txt"]);
    expect(paths("2", "3")).toEqual(["c.txt"]);
    expect(paths("2")).toEqual(["c.txt"]);
    const said = (at: string) => JSON.parse(session.text("export", "--at", at)) as { takes: { entries: object[] }[] };
    expect([said("2").takes[0]?.entries.length, said("2^").takes[0]?.entries.length]).toEqual([8, 4]);
    expect(session.json("jump", "2")).toMatchObject({ op_id: expect.any(String) });
    expect([session.read("b.txt"), session.read("c.txt")]).toEqual(["2\n", undefined]);
    session.text("undo");
    expect(session.json("jump", "2^")).toMatchObject({ op_id: expect.any(String) });
    expect([session.read("a.txt"), session.read("b.txt")]).toEqual(["1\n", undefined]);
    session.text("undo");
    expect(session.read("c.txt")).toBe("3\n");
  });

  test("[F60] names are the same where the thread is imported", () => {
    const bundle = join(session.home, "bundle");
    session.text("export", "--format", "bundle", "--output", bundle);
    const elsewhere = new CliSession("elsewhere");
    try {
      elsewhere.text("import", bundle);
      const shown = (at: CliSession) => {
        const { operations } = at.json("history", "--all");
        return [at.json("entries")["names"], operations.map(({ id, name, turn_name }) => [id, name, turn_name])];
      };
      expect(shown(elsewhere)).toEqual(shown(session));
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
