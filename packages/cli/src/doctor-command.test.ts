import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

let session: CliSession;
beforeEach(() => {
  session = new CliSession();
});
afterEach(() => session.remove());

const file = (...names: string[]) => join(session.home, "data", ...names, "retake.db");

function damage(sql: string, ...names: string[]): void {
  const database = new DatabaseSync(file(...names));
  database.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

const codes = (answer: { readonly [name: string]: unknown }, list = "problems") =>
  (answer[list] as { code: string }[]).map(({ code }) => code);

describe("doctor", () => {
  test("finds nothing where nothing is, nor after work in both stores", async () => {
    expect(await session.json("doctor")).toEqual({ healthy: true, problems: [] });
    await session.thread("one", "echo 1 > a", "mkdir d; echo 2 > d/b");
    await session.privateThread("two", "echo 3 > a");
    await session.text("undo");
    await session.text("redo");
    const { status, stdout } = await session.call("doctor");
    expect([status, stdout]).toEqual([0, "✓ Everything that is stored is as it should be.\n"]);
    expect(await session.json("doctor", "--repair")).toEqual({
      healthy: true,
      problems: [],
      repaired: [],
      backups: [],
    });
  });

  test("rows that are not what the operations lead to are made anew from them, after a copy", async () => {
    const thread = await session.privateThread("one", "echo 1 > a", "echo 2 > a");
    await session.text("undo");
    await session.text("branch", (await session.json("entries")).entries[1]?.["id"] ?? "");
    await session.text("reset");
    await session.text("undo");
    const [history, entries] = [await session.json("history", "--all"), await session.json("entries")];
    damage("DELETE FROM entries; UPDATE records SET value = '{}' WHERE id LIKE 'turn:%'; DELETE FROM takes", "private");
    const found = await session.call("doctor", "--json");
    expect(found.status).toBe(1);
    expect(JSON.parse(found.stdout)).toMatchObject({
      healthy: false,
      problems: expect.arrayContaining([
        { code: "wrong-records", message: expect.any(String), thread, repairable: true },
      ]),
    });
    const before = readFileSync(file("private"));
    await session.json("doctor");
    expect(readFileSync(file("private")).equals(before)).toBe(true);
    const repaired = await session.json("doctor", "--repair");
    expect(repaired).toMatchObject({ healthy: true, problems: [] });
    expect(codes(repaired, "repaired")).toContain("wrong-records");
    const [backup = ""] = repaired["backups"] as string[];
    const copy = new DatabaseSync(backup, { readOnly: true });
    expect(copy.prepare("SELECT count(*) AS n FROM entries").get()).toEqual({ n: 0 });
    copy.close();
    expect(await session.json("entries")).toEqual(entries);
    expect(await session.json("history", "--all")).toEqual(history);
    expect((await session.json("search", "echo")).threads).toHaveLength(1);
    await session.text("redo");
  });

  test("an operation that is not what was committed is named, and left alone", async () => {
    const thread = await session.thread("one", "echo 1 > a");
    damage("UPDATE operations SET body = replace(body, 'echo 1', 'echo 9')");
    const answer = await session.json("doctor");
    expect(answer).toMatchObject({ healthy: false });
    expect(answer["problems"]).toContainEqual({
      code: "damaged-operation",
      thread,
      repairable: false,
      message: expect.stringContaining("not what was committed"),
    });
    expect(await session.json("doctor", "--repair")).toMatchObject({ healthy: false, repaired: [], backups: [] });
  });

  test("a thread whose row is lost comes back", async () => {
    await session.thread("one", "echo 1 > a");
    const entries = await session.json("entries");
    damage("DELETE FROM threads");
    expect(codes(await session.json("doctor"))).toContain("wrong-records");
    expect(await session.json("doctor", "--repair")).toMatchObject({ healthy: true });
    expect(await session.json("entries")).toEqual(entries);
  });

  test("content that is lost or changed, captures that are lost, sessions and references that are broken are named", async () => {
    await session.thread("one", "echo 1 > a");
    damage("UPDATE loose_objects SET content = x'00'; DELETE FROM objects");
    expect(new Set(codes(await session.json("doctor")))).toEqual(new Set(["damaged-content"]));
    damage("UPDATE captures SET name = substr(name, 2) || 'x', follows = follows WHERE parent IS NOT NULL");
    expect(codes(await session.json("doctor"))).toContain("damaged-capture");
    damage("DELETE FROM captures");
    expect(codes(await session.json("doctor"))).toContain("missing-capture");
    damage("INSERT INTO takes (thread, take, space) VALUES ('T-x', 'x', 99999)");
    expect(codes(await session.json("doctor"))).toContain("broken-reference");
    damage("INSERT INTO records (space, id, value) SELECT space, 'save:x', '{}' FROM threads");
    expect(codes(await session.json("doctor"))).toContain("damaged-session");
  });

  test("a search index that is not whole is made anew", async () => {
    await session.thread("one", "echo needle > a");
    damage("INSERT INTO entry_words (entry_words) VALUES ('delete-all')");
    expect((await session.json("search", "needle")).threads).toEqual([]);
    expect(await session.json("doctor")).toMatchObject({ problems: [{ code: "search-index", repairable: true }] });
    expect(await session.json("doctor", "--repair")).toMatchObject({ healthy: true });
    expect((await session.json("search", "needle")).threads).toHaveLength(1);
  });

  test("[X9] what a killed process left is named and finished; a stage that nothing names is removed", async () => {
    await session.thread("one", "echo 1 > a; echo 1 > b", "echo 2 > a; echo 2 > b");
    session.runBroken({ call: "renameSync", nth: 2 }, "undo");
    expect(codes(await session.json("doctor"))).toEqual(["interrupted-restore"]);
    const [stage = ""] = readdirSync(session.root).filter((name) => name.startsWith(".retake-stage"));
    mkdirSync(join(session.root, stage.replace(/-[^-]*$/, "-0123456789abcdef")));
    expect(codes(await session.json("doctor")).sort()).toEqual(["interrupted-restore", "left-stage"]);
    expect(await session.json("doctor", "--repair")).toMatchObject({ healthy: true });
    expect([session.read("a"), session.read("b")]).toEqual(["1\n", "1\n"]);
    expect(readdirSync(session.root).filter((name) => name.startsWith(".retake"))).toEqual([]);
    session.run("run", "--approve", "all", "run kill -9 $PPID");
    expect(codes(await session.json("doctor"))).toEqual(["interrupted-turn"]);
    expect(await session.text("doctor", "--repair")).toContain("✓ Repaired: A turn in");
  });

  test("files that others may read are the user's alone again", async () => {
    await session.thread("one");
    chmodSync(file(), 0o644);
    expect(await session.text("threads")).toContain("one");
    expect(await session.json("doctor")).toMatchObject({ problems: [{ code: "open-to-others", repairable: true }] });
    expect(await session.json("doctor", "--repair")).toMatchObject({ healthy: true });
  });

  test("[S3] a file that is damaged, no database, or from a newer version is named, and stays as it is", async () => {
    await session.thread("one", "echo 1 > a", "echo 2 > a");
    damage("");
    copyFileSync(file(), `${file()}.good`);
    const bytes = readFileSync(file());
    bytes.fill(0x5a, 4096 * 3, 4096 * 9);
    writeFileSync(file(), bytes);
    expect(["damaged-file", "unopenable"]).toContain(codes(await session.json("doctor"))[0]);
    expect(readFileSync(file()).equals(bytes)).toBe(true);
    for (const content of ["this is not a database at all, but a text of some length\n".repeat(99)]) {
      writeFileSync(file(), content);
      expect(codes(await session.json("doctor"))).toEqual(["unopenable"]);
      expect(readFileSync(file(), "utf8")).toBe(content);
    }
    copyFileSync(`${file()}.good`, file());
    damage("PRAGMA user_version = 999");
    const newer = await session.call("doctor");
    expect([newer.status, newer.stdout]).toEqual([1, expect.stringContaining("newer Retake")]);
  });

  test("[S3] a damaged thread of a 0.1.0 store is named by doctor and by whoever asks for it; the others are there", async () => {
    const archive = join(import.meta.dirname, "../../runtime/src/store/fixtures/0.1.0/store.tar.gz");
    execFileSync("tar", ["-xzf", archive, "-C", dirname(session.home)]);
    const thread = "T-01a1e640-1877-7000-8bfc-b67cca8cedd1";
    damage(
      `UPDATE operations SET body = replace(body, 'User', 'Usex') WHERE thread = '${thread}';
       UPDATE workspaces SET root = CAST('${session.root}' AS BLOB); UPDATE threads SET workspace_root = '${session.root}'`,
    );
    const { problems } = await session.json("doctor");
    expect(problems).toContainEqual(expect.objectContaining({ code: "damaged-thread", thread, repairable: false }));
    const asked = await session.call("entries", "--thread", thread);
    expect([asked.status, asked.stdout]).toEqual([1, ""]);
    expect(asked.stderr).toMatch(/was damaged before .* Its operations are kept as they are/s);
    const [sound] = (await session.json("threads")).threads;
    expect((await session.call("entries", "--thread", String(sound?.["id"]))).status).toBe(0);
    expect((await session.call("snapshots")).status).toBe(0);
  });
});
