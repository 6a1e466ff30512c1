import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal } from "./testing/refusal.ts";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

describe("threads and directories", () => {
  test("ids of another thread are not found, and neither thread changes", async () => {
    const client = server.client();
    const [one, other] = [await server.thread("write own.txt: 1"), await server.thread("write other.txt: 1")];
    const { entries } = await client.listEntries(other);
    const { head } = await client.getHistory(other);
    const { takes } = await client.listTakes(other);
    const foreign = { entry: entries[0]?.id as string, op: head as string, take: takes[0]?.id as string };
    const { turns } = await client.listTurns(other);
    const look = () =>
      Promise.all(
        [one, other].flatMap((id) => [client.listEntries(id, {}), client.listTakes(id), client.getSettings(id)]),
      );
    const before = await look();
    const tries = [
      () => client.getEntry(one, foreign.entry),
      () => client.editEntry(one, foreign.entry, { content: "x" }),
      () => client.removeEntry(one, foreign.entry),
      () => client.branch(one, { entry: foreign.entry }),
      () => client.getOperation(one, foreign.op),
      () => client.jump(one, { op: foreign.op }),
      () => client.revert(one, { op: foreign.op }),
      () => client.revert(one, { turn: turns[0]?.id as string }),
      () => client.switchTake(one, foreign.take),
      () => client.renameTake(one, foreign.take, { name: "x" }),
      () => client.deleteTake(one, foreign.take),
      () => client.interruptTurn(one, turns[0]?.id as string),
    ];
    for (const each of tries) expect((await refusal(each())).status).toBe(404);
    const withoutVersions = (all: readonly object[]) => all.map((each) => ({ ...each, version: 0 }));
    expect(withoutVersions(await look())).toEqual(withoutVersions(before));
    expect([server.read("own.txt"), server.read("other.txt")]).toEqual(["1", "1"]);
  });

  test("[P4] a thread works in its own directory, wherever the server was started", async () => {
    const client = server.client();
    const elsewhere = server.makeDirectory("elsewhere");
    const { thread } = await client.createThread({ workspace_root: elsewhere });
    await server.turn(thread.id, "write there.txt: 1");
    expect(server.read("there.txt")).toBeUndefined();
    expect(server.read("../elsewhere/there.txt")).toBe("1");
    await client.undo(thread.id);
    expect(server.read("../elsewhere/there.txt")).toBeUndefined();
    expect((await client.listThreads({ workspace: elsewhere })).threads.map(({ id }) => id)).toEqual([thread.id]);
    expect(await refusal(client.createThread({ workspace_root: join(server.folder, "none") }))).toMatchObject({
      status: 424,
      code: "workspace-missing",
    });
  });

  test("[P4] a thread whose directory was deleted says so, and loses nothing", async () => {
    const client = server.client();
    const gone = server.makeDirectory("gone");
    const { thread } = await client.createThread({ workspace_root: gone });
    await server.turn(thread.id, "write there.txt: 1");
    rmSync(gone, { recursive: true });
    expect(await refusal(client.undo(thread.id))).toMatchObject({ status: 424, code: "workspace-missing" });
    const { turn_id } = await client.startTurn(thread.id, { prompt: "write there.txt: 2" });
    const isEnded = async () => (await client.listTurns(thread.id)).turns.find(({ id }) => id === turn_id);
    await expect
      .poll(isEnded)
      .toMatchObject({ status: "not-started", failure: { message: expect.stringContaining("is not there") } });
    server.makeDirectory("gone");
    expect(await client.undo(thread.id, { on_conflict: "keep" })).toMatchObject({ turns_undone: 1 });
  });

  test("[P4] a snapshot of another directory is not found under a thread, and is restored only in its own directory", async () => {
    const client = server.client();
    const [here, there] = [await server.thread(), server.makeDirectory("there")];
    const { thread } = await client.createThread({ workspace_root: there });
    writeFileSync(join(there, "only-there.txt"), "1");
    const { id } = (await client.takeSnapshot({ thread_id: thread.id })).snapshot;
    const restore = (query: string) =>
      server.fetch(`/v1/snapshots/${id}/restore${query}`, { method: "POST", body: "{}" });
    expect((await restore(`?thread=${here}`)).status).toBe(404);
    expect((await server.fetch(`/v1/snapshots/${id}/diff?thread=${here}`)).status).toBe(404);
    rmSync(join(there, "only-there.txt"));
    expect((await restore("?")).status).toBe(200);
    expect([server.read("only-there.txt"), server.read("../there/only-there.txt")]).toEqual([undefined, "1"]);
  });

  test("[P4] [X5] a snapshot of one thread is not restored in another one of the same directory", async () => {
    const client = server.client();
    const [one, two] = [await server.thread("write own.txt: 1"), await server.thread("write other.txt: 1")];
    const { id } = (await client.takeSnapshot({ thread_id: two })).snapshot;
    await server.turn(two, "write other.txt: 2");
    const restore = (query: string) =>
      server.fetch(`/v1/snapshots/${id}/restore${query}`, { method: "POST", body: "{}" });
    const refused = await restore(`?thread=${one}`);
    expect(refused.status).toBe(404);
    const { title } = await client.getThread(two);
    expect((await refused.json()).error.message).toContain(`is a snapshot of the thread ${title}`);
    expect(server.read("other.txt")).toBe("2");
    expect((await restore(`?thread=${two}`)).status).toBe(200);
    expect(server.read("other.txt")).toBe("1");
  });

  test("[L8] a private thread has the same routes and events", async () => {
    const client = server.client();
    const { thread } = await client.createThread({ private: true });
    expect(thread).toMatchObject({ private: true, visibility: "private" });
    const { seq } = await client.getCheckpoint(thread.id);
    await client.addEntry(thread.id, { content: "secret" });
    const [event] = await server.until(thread.id, seq, ({ type }) => type === "operation-committed");
    expect(event).toMatchObject({ thread_id: thread.id, operation: { kind: "entry-inserted" } });
  });
});
