import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal } from "./testing/refusal.ts";
import { isEnd, TestServer } from "./testing/test-server.ts";

let server: TestServer;
let thread: string;
beforeAll(async () => {
  server = await TestServer.start();
  thread = await server.thread("write a.txt: one", "write a.txt: two", "write b.txt: three");
  await server.client().changeThread(thread, { title: "Log in / out" });
});
afterAll(() => server.close());

describe("names over HTTP", () => {
  test("[F60] answers have full ids, and names beside them", async () => {
    const client = server.client();
    const { entries, names } = await client.listEntries(thread);
    expect(entries.map(({ id }) => names[id])).toEqual(
      [1, 2, 3].flatMap((turn) => ["0", "1", "1.1", "2"].map((place) => `#${turn}.${place}`)),
    );
    const { turns } = await client.listTurns(thread);
    expect(turns.map(({ name }) => name)).toEqual(["#1", "#2", "#3"]);
    const { operations } = await client.getHistory(thread, { all: true });
    for (const { id, name, turn_id, turn_name } of operations) {
      expect(id).toMatch(/^[0-9a-f]{8}-/);
      expect(name).toMatch(/^[k-z]{4,}$/);
      expect(turn_name).toBe(turns.find((turn) => turn.id === turn_id)?.name);
    }
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
  });

  test("[D1] [F60] an entry may have a name of its own, which is kept and not taken for ours", async () => {
    const client = server.client();
    const { entry } = await client.addEntry(thread, { content: "x", name: "Ada" });
    const id = entry?.id as string;
    expect(id).toMatch(/^[k-z]{12}$/);
    const { entries, names } = await client.listEntries(thread);
    expect(entries.at(-1)).toMatchObject({ name: "Ada" });
    expect(names[id]).toBe(id);
    await client.removeEntry(thread, id);
  });

  test("[F60] a thread is named by its title, and what is in it by the names that answers print", async () => {
    const client = server.client();
    expect(await client.getThread("Log in / out")).toMatchObject({ id: thread });
    const { entries } = await client.listEntries(thread);
    for (const name of ["#2.0", "2.0", entries[4]?.id as string])
      expect(await client.getEntry("Log in / out", name)).toEqual(entries[4]);
    await client.editEntry(thread, "#2.0", { content: "edited" });
    expect(await client.getEntry(thread, "2.0")).toMatchObject({ content: "edited" });
    const added = await client.addEntry(thread, { before: "#2.0", content: "between" });
    const around = await client.listEntries(thread, { after: "#1.2", limit: 2 });
    expect(around.entries.map(({ id }) => id)).toEqual([added.entry?.id, entries[4]?.id]);
    expect((await client.listEntries(thread, { before: "#1.1", take: "main" })).entries).toMatchObject([
      { id: entries[0]?.id },
    ]);
    await client.undo(thread, { steps: 2 });
    const { operations } = await client.getHistory(thread);
    const turn = operations.find(({ turn_name }) => turn_name === "#2");
    const shown = await client.getOperation(thread, turn?.id ?? "");
    for (const name of ["#2", "2", turn?.name ?? "", turn?.turn_id ?? ""])
      expect(await client.getOperation(thread, name)).toEqual(shown);
    expect(shown.changes.map(({ name }) => name)).toEqual(expect.arrayContaining(["#2", "#2.0", "#2.1.1"]));
    const { window, checkpoint } = await client.getCheckpoint(thread, { entries: "before:#2.0:4", take: "main" });
    expect(window).toMatchObject({ total: 12 });
    expect(JSON.stringify(checkpoint)).not.toContain(entries[4]?.id as string);
    expect((await client.listSnapshots({ thread: "Log in / out" })).snapshots.length).toBeGreaterThan(3);
  });

  test("[F61] every route that takes a point takes the same ones", async () => {
    const client = server.client();
    const file = async (at: string) => (await client.readFile(thread, { path: "a.txt", at })).content;
    expect([await file("#1"), await file("2^"), await file("2"), await file("now")]).toEqual([
      "one",
      "one",
      "two",
      "two",
    ]);
    expect((await refusal(client.readFile(thread, { path: "a.txt", at: "#1^" }))).status).toBe(404);
    const paths = async (from: string, to: string) =>
      (await client.diffThread(thread, { from, to })).files.map(({ path }) => path);
    expect(await paths("2^", "2")).toEqual(["a.txt"]);
    expect(await paths("#2", "#3")).toEqual(["b.txt"]);
    const said = async (at: string) => (await client.listEntries(thread, { at })).entries.length;
    expect([await said("#2"), await said("#2^"), await said("1^")]).toEqual([8, 4, 0]);
    const { operations } = await client.getHistory(thread);
    const name = operations.find(({ turn_name }) => turn_name === "#2")?.name ?? "";
    expect(await said(name)).toBe(8);
    expect((await client.getCheckpoint(thread, { at: "#2" })).version).toBe(
      (await client.getCheckpoint(thread, { at: name })).version,
    );
    await client.jump(thread, { op: "#2" });
    expect([server.read("a.txt"), server.read("b.txt")]).toEqual(["two", undefined]);
    await client.undo(thread);
    await client.jump(thread, { op: "2^" });
    expect([server.read("a.txt"), server.read("b.txt")]).toEqual(["one", undefined]);
    await client.undo(thread);
    expect(server.read("b.txt")).toBe("three");
  });

  test("[F60] [X3] turns, calls and takes are reverted, branched at, switched to and compared by name", async () => {
    const client = server.client();
    for (const request of [{ turn: "#3" }, { turn: "3" }, { call: "#3.1.1" }, { op: "3" }, { op: "3.1.1" }])
      expect(
        (await client.revert(thread, { ...request, dry_run: true })).files_reverted,
        JSON.stringify(request),
      ).toEqual(["b.txt"]);
    expect(await refusal(client.revert(thread, { turn: "3", call: "3.1.1" }))).toMatchObject({ status: 422 });
    const { take } = await client.branch(thread, { entry: "#2" });
    expect(take).toMatchObject({ name: "main_take_1", entries: 8 });
    expect(Object.values((await client.compareTakes(thread, "main", "main_take_1")).names)).toEqual([
      ...["#3.0", "#3.1", "#3.1.1", "#3.2"],
    ]);
    expect(await client.switchTake(thread, "main")).toMatchObject({ take: { name: "main", active: true } });
    await client.promoteTake(thread, "main_take_1", { name: "second" });
    await client.renameTake(thread, "second", { name: "third" });
    await client.deleteTake(thread, "third");
    expect((await client.listTakes(thread)).takes).toHaveLength(1);
  });

  test("[F60] a running turn and the call that it waits for are answered by name", async () => {
    const client = server.client();
    const { seq } = await client.getCheckpoint(thread);
    const { turn_id } = await client.startTurn(thread, { prompt: "write c.txt: four", approve: "ask" });
    await server.until(thread, seq, (event) => event.type === "approval-asked");
    const followed = client.followTurn(thread, "#4");
    expect((await followed.next()).value).toMatchObject({ turn_id });
    await followed.return();
    await client.decideApproval(thread, "#4", "#4.1.1", { decision: "allow" });
    await server.until(thread, seq, (event) => isEnd(event, turn_id));
    expect(server.read("c.txt")).toBe("four");
    const { seq: later } = await client.getCheckpoint(thread);
    await client.startTurn(thread, { prompt: "write d.txt: five", approve: "ask" });
    await server.until(thread, later, (event) => event.type === "approval-asked");
    expect(await client.interruptTurn(thread, "#5")).toMatchObject({ status: "interrupted", turn: { name: "#5" } });
  });

  test("[F60] a name that is unknown or ambiguous is 404, with what is near; a stale caller is told what changed", async () => {
    const client = server.client();
    expect(await refusal(client.getEntry(thread, "#3.9"))).toMatchObject({
      status: 404,
      code: "not-found",
      details: { asked: "#3.9", near: ["#3.0", "#3.1", "#3.1.1", "#3.2"] },
    });
    expect(await refusal(client.getOperation(thread, "#99"))).toMatchObject({ status: 404, details: { near: ["#5"] } });
    expect(await refusal(client.jump(thread, { op: "nothing" }))).toMatchObject({ status: 404 });
    expect(await refusal(client.switchTake(thread, "mian"))).toMatchObject({
      status: 404,
      details: { near: ["main"] },
    });
    expect(await refusal(client.getThread("nobody"))).toMatchObject({
      status: 404,
      details: { near: ["Log in / out"] },
    });
    expect(await refusal(client.listEntries(thread, { take: "nothing" }))).toMatchObject({ status: 404 });
    const { version } = await client.getThread(thread);
    await client.changeSettings(thread, { draft: "x" });
    expect(await refusal(client.editEntry(thread, "#3.9", { content: "x" }, { version }))).toMatchObject({
      status: 409,
      code: "stale-version",
    });
    const again = server.makeDirectory("again");
    const { thread: elsewhere } = await client.createThread({ workspace_root: again, title: "Log in / out" });
    // A title names a thread of the server's own directory.
    expect((await client.getThread("Log in / out")).id).toBe(thread);
    expect(elsewhere.id).not.toBe(thread);
  });
});
