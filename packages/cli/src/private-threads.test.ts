import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

let session: CliSession;
beforeEach(() => {
  session = new CliSession();
});
afterEach(() => session.remove());

const data = () => join(session.home, "data");

describe("run --private", () => {
  test("[L8] begins a thread in a store of its own, of which nothing is written for sync", async () => {
    await session.text("run", "write shared.txt: shared words");
    expect(existsSync(join(data(), "private"))).toBe(false);
    await session.text("run", "--private", "--yes", "write hidden.txt: zebra-words");
    const { threads } = await session.json("threads");
    expect(threads.map(({ title, private: kept }) => [title, kept])).toEqual([
      ["write hidden.txt: zebra-words", true],
      ["write shared.txt: shared words", false],
    ]);
    expect(await session.text("threads")).toContain("write hidden.txt: zebra-words (private)");
    const inPrivate = new DatabaseSync(join(data(), "private", "retake.db"), { readOnly: true });
    expect(inPrivate.prepare("SELECT count(*) AS n FROM operations").get()?.["n"]).toBeGreaterThan(3);
    expect(inPrivate.prepare("SELECT count(*) AS n FROM outbox").get()).toEqual({ n: 0 });
    inPrivate.close();
    // Both stores contain the user's files, but only the private one the conversation.
    await session.text("remove", (await session.json("entries")).entries[0]?.["id"] ?? "");
    for (const entry of readdirSync(data(), { withFileTypes: true }).filter((each) => each.isFile()))
      expect(readFileSync(join(data(), entry.name), "latin1")).not.toContain("zebra");
  });

  test("[L8] the store is its user's alone", async () => {
    await session.text("run", "--private", "--yes", "write hidden.txt: hidden");
    const looks = execFileSync("find", [data(), "-printf", "%y %m %P\n"], { encoding: "utf8" }).trim().split("\n");
    expect(looks.length).toBeGreaterThan(5);
    for (const look of looks) expect(look).toMatch(/^(d 700|f 600) /);
  });

  test("[L8] what is not private cannot become it, and what is private stays it", async () => {
    await session.text("run", "write shared.txt: shared");
    const { status, stderr } = await session.call("run", "--private", "--thread", "write shared.txt: shared", "hello");
    expect([status, stderr]).toEqual([2, expect.stringContaining("is not private and cannot become it")]);
    await session.text("run", "--private", "one");
    await session.text("run", "two");
    await session.text("run", "--private", "--thread", "one", "three");
    expect((await session.json("threads")).threads.map(({ title }) => title)).toEqual([
      "one",
      "write shared.txt: shared",
    ]);
    await session.text("run", "--private", "four");
    expect((await session.json("threads")).threads.map(({ title }) => title)).toEqual([
      "four",
      "one",
      "write shared.txt: shared",
    ]);
  });

  test("[L8] [U1] every command works on it: undo, redo, history, show, branch, switch, rename, delete", async () => {
    const shared = await session.thread("shared", "echo shared > s.txt");
    const thread = await session.privateThread("hidden", "echo one > a.txt", "echo two > a.txt; mkdir d; echo x > d/x");
    const undone = await session.json("undo");
    expect(undone["files_reverted"]).toEqual(["a.txt", "d/x"]);
    expect([session.read("a.txt"), session.read("d/x"), session.read("s.txt")]).toEqual([
      "one\n",
      undefined,
      "shared\n",
    ]);
    expect(await session.text("redo")).toContain("a.txt");
    expect(session.read("a.txt")).toBe("two\n");
    const { operations } = await session.json("history");
    expect(await session.text("show", operations[0]?.["id"] ?? "")).toContain("a.txt");
    const first = (await session.json("entries")).entries[3]?.["id"] ?? "";
    await session.text("branch", first);
    expect(session.read("a.txt")).toBe("one\n");
    await session.text("switch", "main");
    expect(session.read("a.txt")).toBe("two\n");
    await session.text("rename", thread, "renamed");
    await session.text("switch", "shared");
    expect((await session.json("entries")).entries[0]).toMatchObject({ content: "echo shared > s.txt" });
    await session.text("delete", thread);
    expect((await session.json("threads")).threads.map(({ id }) => id)).toEqual([shared]);
    await session.text("undo", "--step", "--thread", thread);
    expect((await session.json("threads")).threads).toHaveLength(2);
  });
});

describe("a process that is killed while it works on a private thread", () => {
  const files = ["a.txt", "b.txt", "c.txt"];
  const write = (word: string) => files.map((file) => `echo ${word} > ${file}`).join("; ");
  const words = () => files.map((file) => session.read(file)?.trim());
  const stages = () => readdirSync(session.root).filter((name) => name.startsWith(".retake-stage"));

  test("[X9] [L8] in the middle of a restore: the next command of a shared thread finishes it first", async () => {
    const shared = await session.thread("shared", "echo shared > s.txt");
    const hidden = await session.privateThread("hidden", write("one"), write("two"));
    expect(session.runBroken({ call: "renameSync", nth: 2 }, "undo", "--thread", hidden).status).toBe(null);
    expect(new Set(words()).size).toBe(2);
    expect(stages()).toHaveLength(1);
    expect(await session.json("undo", "--thread", shared)).toMatchObject({ files_reverted: ["s.txt"] });
    expect(words()).toEqual(["one", "one", "one"]);
    expect(stages()).toEqual([]);
    expect(await session.contents(hidden)).toHaveLength(4);
  });

  test("[X9] in the middle of a shared restore: the next command of a private thread finishes it first", async () => {
    const hidden = await session.privateThread("hidden", "echo hidden > h.txt");
    const shared = await session.thread("shared", write("one"), write("two"));
    expect(session.runBroken({ call: "renameSync", nth: 2 }, "undo", "--thread", shared).status).toBe(null);
    await session.text("undo", "--thread", hidden);
    expect([...words(), session.read("h.txt")]).toEqual(["one", "one", "one", undefined]);
    expect(stages()).toEqual([]);
  });

  test("[X9] before the commit: nothing has changed, and nothing is left behind", async () => {
    const shared = await session.thread("shared", "echo shared > s.txt");
    const hidden = await session.privateThread("hidden", write("one"), write("two"));
    // Nothing but a staged file is written with it.
    expect(session.runBroken({ call: "writeSync", nth: 1 }, "undo", "--thread", hidden).status).toBe(null);
    expect(stages()).toHaveLength(1);
    await session.text("undo", "--thread", shared);
    expect(words()).toEqual(["two", "two", "two"]);
    expect(stages()).toEqual([]);
    expect(await session.contents(hidden)).toHaveLength(8);
  });

  test("[L9] in a turn: it is ended by the next command of a shared thread, with what it wrote", async () => {
    const shared = await session.thread("shared", "echo shared > s.txt");
    expect(session.run("run", "--private", "--approve", "all", "run echo late > late.txt; kill -9 $PPID").status).toBe(
      null,
    );
    await session.text("undo", "--thread", shared);
    const [hidden] = (await session.json("threads")).threads.filter((thread) => thread["private"]);
    const { entries } = await session.json("entries", "--thread", hidden?.["id"] ?? "");
    expect(
      entries.map((entry) => (entry["tool_result"] as unknown as { status: string } | undefined)?.status),
    ).toContain("unknown");
    expect(await session.json("undo", "--thread", hidden?.["id"] ?? "")).toMatchObject({
      files_reverted: ["late.txt"],
    });
  });
});

test("[L4] a private store that another process made is seen by one that is open", async () => {
  const workspace = session.open();
  try {
    expect(workspace.threads()).toEqual([]);
    const thread = await session.privateThread("hidden");
    expect(workspace.threads()).toMatchObject([{ id: thread, private: true }]);
    expect(() => workspace.store.read("T-none", () => 0)).toThrow("There is no thread T-none");
  } finally {
    await workspace.close();
  }
});

test("[U1] a workspace whose name is not ASCII can be undone in", async () => {
  const odd = new CliSession("projét-日本");
  try {
    await odd.thread("odd", "echo one > a.txt");
    expect(await odd.json("undo")).toMatchObject({ files_reverted: ["a.txt"] });
    expect(odd.read("a.txt")).toBe(undefined);
  } finally {
    odd.remove();
  }
});
