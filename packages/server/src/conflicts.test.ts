import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@retake/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "./testing/refusal.ts";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
let client: Client;
let thread: string;
beforeEach(async () => {
  server = await TestServer.start();
  client = server.client();
  write("a.txt", "before\n");
  write("b.txt", "before\n");
  thread = await server.thread("run for f in a b c; do echo turn > $f.txt; done");
});
afterEach(() => server.close());

function write(path: string, content: string): void {
  writeFileSync(join(server.root, path), content);
}

function read(path: string): string {
  return readFileSync(join(server.root, path), "utf8");
}

type Details = Awaited<ReturnType<Client["undo"]>>;

/** The details of the conflicts that a call must be refused with. */
async function conflictsOf(call: Promise<unknown>): Promise<Details> {
  const error = await refusal(call);
  expect(error).toMatchObject({ status: 409, code: "conflict" });
  return error.details as Details;
}

describe("conflicts, one by one", () => {
  test("[F33] a dry run tells what would become of each file, and of the entries, also where it conflicts", async () => {
    write("a.txt", "mine\n");
    const { version } = await client.getThread(thread);
    const plan = await conflictsOf(client.undo(thread, { dry_run: true }));
    expect(plan.files).toEqual([
      { path: "b.txt", became: "restored" },
      { path: "c.txt", became: "removed" },
      { path: "a.txt", became: "kept", reason: "overlap" },
    ]);
    expect(plan.entries?.map(({ name, becomes }) => `${name} ${becomes}`)).toContain("#1.0 removed");
    expect(plan.conflicts).toEqual([{ path: "a.txt", kind: "overlap" }]);
    expect((await client.getThread(thread)).version).toBe(version);
    expect([read("a.txt"), read("b.txt")]).toEqual(["mine\n", "turn\n"]);
  });

  test("[F33] a refusal names the conflicts and says of no file that it was restored", async () => {
    write("a.txt", "mine\n");
    const refused = await conflictsOf(client.undo(thread));
    expect(refused).toMatchObject({ files_reverted: [], files_deleted: [], conflicts: [{ path: "a.txt" }] });
    expect(refused.files).toEqual([{ path: "a.txt", became: "kept", reason: "overlap" }]);
  });

  test.each([
    ["merge", "markers"],
    ["overwrite", "replaced"],
    ["keep", "kept"],
  ] as const)("[F33] with the policy %s the file in conflict is said to be %s", async (on_conflict, became) => {
    write("a.txt", "mine\n");
    const { files } = await client.undo(thread, { on_conflict });
    expect(files).toContainEqual({ path: "a.txt", became, reason: "overlap" });
  });

  test("[X1] with detail, each conflict has its three sides and what a merge would write", async () => {
    write("a.txt", "mine\n");
    const { conflicts } = await conflictsOf(client.undo(thread, { dry_run: true, detail: true }));
    const side = (content: string) => expect.objectContaining({ kind: "file", encoding: "utf8", content });
    expect(conflicts[0]?.sides).toEqual({
      base: side("turn\n"),
      mine: side("mine\n"),
      theirs: side("before\n"),
      merged: side("<<<<<<< on disk\nmine\n=======\nbefore\n>>>>>>> restored\n"),
      hunks: [expect.objectContaining({ lines: ["-mine", "+before"] })],
    });
  });

  test("[X1] the sides of a large file, which are cut, tell of a change after the cut", async () => {
    const beginning = "mine\n".repeat(100_000);
    const mineWith = async (end: string) => {
      write("a.txt", beginning + end);
      const { conflicts } = await conflictsOf(client.undo(thread, { dry_run: true, detail: true }));
      return conflicts[0]?.sides?.mine;
    };
    const [one, other] = [await mineWith("one"), await mineWith("two")];
    expect([one?.more, other?.content]).toEqual([true, one?.content]);
    expect(one?.hash).not.toBe(other?.hash);
    expect((await mineWith("one"))?.hash).toBe(one?.hash);
  });

  test("[X1] resolutions decide conflict by conflict", async () => {
    write("a.txt", "mine a\n");
    write("b.txt", "mine b\n");
    const { plan_id } = await conflictsOf(client.undo(thread, { dry_run: true }));
    const done = await client.undo(thread, {
      ...(plan_id === undefined ? {} : { plan_id }),
      resolutions: [
        { path: "a.txt", use: "theirs" },
        { path: "b.txt", use: { content: "chosen\n" } },
      ],
    });
    expect(done.files).toEqual([
      { path: "a.txt", became: "replaced", reason: "overlap" },
      { path: "b.txt", became: "merged", reason: "overlap" },
      { path: "c.txt", became: "removed" },
    ]);
    expect([read("a.txt"), read("b.txt")]).toEqual(["before\n", "chosen\n"]);
    await client.redo(thread);
    expect([read("a.txt"), read("b.txt")]).toEqual(["mine a\n", "mine b\n"]);
  });

  test("[X1] [B7] the active take is deleted by a plan, and its conflicts are decided in the same way", async () => {
    const one = await server.thread("say hello", "run echo one > a.txt");
    const { take } = await client.branch(one, { entry: "#1" });
    await server.thread("run echo two > a.txt");
    const remove = (options: object) => client.deleteTake(one, take?.id ?? "", options);
    const planOf = () => conflictsOf(remove({ dry_run: true, detail: true }));
    const stale = await planOf();
    expect(stale.conflicts).toMatchObject([
      { path: "a.txt", sides: { mine: { content: "two\n" }, theirs: { content: "one\n" } } },
    ]);
    write("a.txt", "two and mine\n");
    const resolutions = [{ path: "a.txt", use: { content: "both\n" } }];
    await expect(remove({ plan_id: stale.plan_id, resolutions })).rejects.toMatchObject({ code: "stale-plan" });
    expect([read("a.txt"), (await client.listTakes(one)).takes.length]).toEqual(["two and mine\n", 2]);
    const { plan_id } = await planOf();
    await remove({ plan_id, resolutions });
    expect([read("a.txt"), (await client.listTakes(one)).takes.length]).toEqual(["both\n", 1]);
    await client.undo(one, { steps: 1 });
    expect([read("a.txt"), (await client.listTakes(one)).takes.length]).toEqual(["two and mine\n", 2]);
  });

  test("[X1] an edited entry that a revert would change back is decided in the same way", async () => {
    const { entries } = await client.listEntries(thread);
    const [prompt] = entries;
    await client.editEntry(thread, prompt?.id ?? "", { content: "first" });
    const { operations } = await client.getHistory(thread);
    await client.editEntry(thread, prompt?.id ?? "", { content: "second" });
    const op = operations[0]?.id ?? "";
    const { conflicts } = await conflictsOf(client.revert(thread, { op, dry_run: true, detail: true }));
    expect(conflicts).toMatchObject([
      { path: `entry:${prompt?.id}`, sides: { mine: { content: "second" }, theirs: { content: prompt?.content } } },
    ]);
    await client.revert(thread, { op, resolutions: [{ path: conflicts[0]?.path ?? "", use: "theirs" }] });
    expect((await client.getEntry(thread, prompt?.id ?? "")).content).toBe(prompt?.content);
  });

  test("[U6] a plan that is named is carried out, or refused where a file or the thread has changed since", async () => {
    const { plan_id = "" } = await client.undo(thread, { dry_run: true });
    write("b.txt", "changed since\n");
    await expect(client.undo(thread, { plan_id, on_conflict: "keep" })).rejects.toMatchObject({
      status: 409,
      code: "stale-plan",
    });
    expect(read("a.txt")).toBe("turn\n");
    write("b.txt", "turn\n");
    await client.changeSettings(thread, { temperature: 0.5 });
    await expect(client.undo(thread, { plan_id })).rejects.toMatchObject({ code: "stale-plan" });
    const again = await client.undo(thread, { dry_run: true });
    expect(again.plan_id).not.toBe(plan_id);
    await client.undo(thread, { plan_id: again.plan_id ?? "" });
    expect(read("a.txt")).toBe("before\n");
  });

  test("[X1] a resolution of a path that has no conflict is refused, and nothing is changed", async () => {
    const call = client.undo(thread, { resolutions: [{ path: "typo.txt", use: "mine" }] });
    await expect(call).rejects.toMatchObject({ status: 422, code: "no-conflict" });
    expect(read("a.txt")).toBe("turn\n");
  });

  test("[D5] the user's edits that go with a take that is left are named", async () => {
    write("own.txt", "mine\n");
    const { files } = await client.branch(thread, { entry: "#1.0" });
    expect(files).toContainEqual({ path: "own.txt", became: "put-away" });
  });

  test("[F69] a directory that goes with its only file is not counted", async () => {
    mkdirSync(join(server.root, "deep"));
    await server.turn(thread, "write deep/one.txt: 1");
    const { files } = await client.undo(thread);
    expect(files).toEqual([{ path: "deep/one.txt", became: "removed" }]);
    expect(readdirSync(join(server.root, "deep"))).toEqual([]);
  });
});
