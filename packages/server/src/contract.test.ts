import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleBody, sampleQuery } from "./testing/sample-input.ts";
import { everyRoute, isEnd, TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

/** Routes that other tests cover. */
const ELSEWHERE = [
  "syncNow",
  "loginSync",
  "followSyncLogin",
  "recoverSync",
  "logoutSync",
  "listSyncDevices",
  "linkSyncDevice",
  "revokeSyncDevice",
  "rotateSyncKey",
  "getSyncAccount",
  "deleteSyncAccount",
  "removeFromSync",
  "shareThread",
  "bringFiles",
  "keepFiles",
  "unshareThread",
  "listShares",
  "placeThread",
  "followEvents",
  "followTurn",
  "interruptTurn",
  "stopTurns",
  "tryNow",
  "decideApproval",
  "changeQueuedTurn",
  "removeQueuedTurn",
  "continueTurns",
  "addScreenshot",
  "getScreenshot",
  "showEntries",
  "exportThread",
  "importThreads",
  "materialize",
  "takeOver",
];

describe("every route", () => {
  test("works, and its answer has the described form", async () => {
    const client = server.client();
    await client.health();
    await client.describeApi();
    await client.createLogin();
    const { thread, op_id, version } = await client.createThread({ title: "First" });
    expect({ version, head: thread.head }).toEqual({ version: 1, head: op_id });
    const { id } = thread;
    expect(await client.getWorkspaceStatus()).toMatchObject({ workspace_root: server.root, thread: { id }, git: null });
    expect((await client.listThreads()).threads.map((each) => each.id)).toEqual([id]);
    await client.changeThread(id, { title: "Renamed", tags: ["a"] });
    expect(await client.getThread(id)).toMatchObject({ title: "Renamed", tags: ["a"], version: 2, active: true });

    await client.changeSettings(id, { temperature: 1, draft: "d" });
    expect(await client.getSettings(id)).toMatchObject({ temperature: 1, draft: "d" });
    expect((await client.changeRoles(id, { add: "Critic" })).roles).toContain("Critic");
    expect((await client.getRoles(id)).roles).toContain("Critic");
    await client.changeContext(id, { add: "a.txt" });
    expect((await client.getContext(id)).context).toMatchObject([{ path: "a.txt" }]);

    const one = await client.addEntry(id, { content: "one", colour: "red" });
    const two = await client.addEntry(id, { content: "zero", before: one.entry?.id as string });
    expect((await client.listEntries(id)).entries.map(({ content }) => content)).toEqual(["zero", "one"]);
    const first = one.entry?.id as string;
    expect(await client.getEntry(id, first)).toMatchObject({ content: "one", colour: "red" });
    await client.editEntry(id, first, { content: "edited", role: "AI" });
    await client.removeEntry(id, two.entry?.id as string);
    expect((await client.listEntries(id)).entries).toMatchObject([{ content: "edited", role: "AI", colour: "red" }]);
    await client.replaceEntries(id, { entries: [{ id: first, content: "kept" }, { content: "new" }] });
    expect((await client.listEntries(id)).entries).toMatchObject([{ id: first, content: "kept" }, { content: "new" }]);

    const turn = await server.turn(id, "write a.txt: hello");
    expect(server.read("a.txt")).toBe("hello");
    expect(await client.getUsage(id)).toMatchObject({ turns: 1, usage: { input_tokens: expect.any(Number) } });
    expect((await client.listTurns(id)).turns).toMatchObject([{ id: turn, status: "finished", approvals: [] }]);
    expect((await client.summarizeThreads()).threads).toMatchObject([{ id, turns: 1, preview: "write a.txt: hello" }]);
    expect((await client.searchThreads({ words: "hello" })).threads).toMatchObject([{ id }]);
    expect(await client.findInThread(id, { q: "hello", limit: 1 })).toMatchObject({ matches: [{ turn_id: turn }] });
    expect(await client.getTurnRequest(id, turn)).toMatchObject({
      turn_id: turn,
      request: { step: expect.any(Number) },
    });
    expect((await client.listFiles(id, { q: "a" })).files).toMatchObject([{ path: "a.txt" }]);
    expect(await client.listModels()).toMatchObject({ model: "scripted/default" });
    expect(await client.listMcpServers({})).toEqual({ servers: [] });

    const { operations, head } = await client.getHistory(id);
    expect(operations[0]).toMatchObject({ kind: "turn-finished", turn_id: turn, thread_id: id });
    expect(await client.getOperation(id, head as string)).toMatchObject({
      files: [{ path: "a.txt", status: "added" }],
    });
    const { checkpoint } = await client.getCheckpoint(id);
    expect(checkpoint).toMatchObject({ head });
    expect(await client.diffThread(id)).toEqual({ files: [], total: 0 });
    expect(await client.readFile(id, { path: "a.txt", at: head as string })).toMatchObject({ content: "hello" });
    expect(await client.blameFile(id, { path: "a.txt" })).toEqual({
      path: "a.txt",
      lines: [{ start: 1, lines: 1, by: "turn", turn_id: turn, turn_name: "#1" }],
      turns: [{ id: turn, name: "#1", prompt: "write a.txt: hello" }],
    });

    const undone = await client.undo(id, { depth: 0 });
    expect(undone).toMatchObject({ turns_undone: 1, files_reverted: ["a.txt"], thread: id });
    expect(server.read("a.txt")).toBeUndefined();
    await client.redo(id);
    expect(server.read("a.txt")).toBe("hello");
    expect(await client.patchUndo(id)).toMatchObject({
      patch_result: { files_restored: 1, summary: "1 file restored" },
    });
    await client.redo(id);
    await client.jump(id, { op: op_id as string });
    expect((await client.listEntries(id)).entries).toEqual([]);
    await client.undo(id);
    expect(server.read("a.txt")).toBe("hello");
    await expect(client.revert(id, { turn, hunks: [{ path: "a.txt", edits: [7] }] })).rejects.toMatchObject({
      status: 422,
      code: "unknown-hunk",
    });
    await client.revert(id, { turn });
    expect(server.read("a.txt")).toBeUndefined();
    await client.undo(id);

    const { take } = await client.branch(id, { entry: first });
    const takes = await client.listTakes(id);
    expect(takes.takes.find(({ active }) => active)?.id).toBe(take?.id);
    await client.promoteTake(id, take?.id as string, { name: "better" });
    await client.renameTake(id, take?.id as string, { name: "best" });
    await client.switchTake(id, takes.takes.find(({ active }) => !active)?.id as string);
    expect(server.read("a.txt")).toBe("hello");
    expect(await client.compareTakes(id, takes.takes[0]?.id as string, takes.takes[1]?.id as string)).toMatchObject({
      common: 1,
      files: [{ path: "a.txt" }],
    });
    await client.deleteTake(id, take?.id as string);
    expect((await client.listTakes(id)).takes).toHaveLength(1);

    const rule = { tool: "bash", command: "make *", decision: "allow" as const };
    expect(await client.changeApprovals({ mode: "ask", add: rule })).toMatchObject({ mode: "ask", rules: [rule] });
    expect(await client.changeApprovals({ mode: "undoable", remove: 1 })).toMatchObject({ rules: [] });
    await expect(client.changeApprovals({ remove: 1 })).rejects.toMatchObject({ status: 404 });
    expect(await client.getApprovals({})).toMatchObject({
      mode: "undoable",
      rules: [],
      confinement: { kind: expect.any(String) },
    });

    await client.saveSession({ thread_id: id, session_id: "before" });
    await client.truncate(id, { pairs: 1 });
    await client.clear(id);
    await client.reset(id);
    expect((await client.listSessions()).sessions).toMatchObject([{ id: "before", thread_id: id }]);
    expect((await client.getSession("before")).entries.length).toBeGreaterThan(0);
    await client.resumeSession("before");
    expect((await client.listEntries(id)).entries.length).toBeGreaterThan(0);

    const { op_id: hooked } = await client.replaceHookSession({ session: { entries: [{ content: "by a program" }] } });
    expect((await client.getHookSession()).session.entries).toMatchObject([{ content: "by a program" }]);
    expect(await client.getState()).toMatchObject({ thread_id: id, head: hooked });
    expect(await client.getStateField("head")).toEqual({ head: hooked });
    expect((await client.getHistory(id)).operations[0]?.actor).toEqual({ kind: "hook" });
    expect(await client.runAction("undo", {})).toMatchObject({ op_id: expect.any(String) });
    await server.turn(id, "write b.txt: 1");
    const retried = await client.retry(id, { prompt: "write c.txt: 2", approve: "all" as const });
    expect(retried.taken_back).toMatchObject({ turns_undone: 1 });
    await server.until(id, "0", (event) => isEnd(event, retried.turn_id));
    expect(server.read("c.txt")).toBe("2");
    expect(await client.undoSession(id, { count: 5 })).toMatchObject({ turns_undone: 1 });
    expect(await client.compress(id, { keep: 0 })).toMatchObject({
      op_id: expect.any(String),
      summary: expect.any(String),
    });
    expect((await client.listEntries(id)).entries).toHaveLength(1);

    writeFileSync(join(server.root, "c.txt"), "2");
    const { snapshot: taken } = await client.takeSnapshot({ label: "mine" });
    expect(taken).toMatchObject({
      label: "mine",
      kind: "manual",
      thread_id: id,
      tree: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    writeFileSync(join(server.root, "c.txt"), "changed");
    expect(await client.diffSnapshot(taken.id)).toMatchObject({
      files: [{ path: "c.txt", additions: 1, deletions: 1 }],
    });
    expect((await client.listSnapshots({ limit: 1 })).snapshots).toMatchObject([{ id: taken.id }]);
    const restored = await client.restoreSnapshot(taken.id, { on_conflict: "overwrite" });
    expect(restored).toMatchObject({ files_reverted: ["c.txt"] });
    expect(server.read("c.txt")).toBe("2");
    await client.undo(id);
    expect(server.read("c.txt")).toBe("changed");

    const second = await client.createThread({});
    const { id: before } = second.thread;
    expect(await client.switchThread(id, { dry_run: true })).toMatchObject({ before: { id: before } });
    expect(await client.switchThread(id)).toMatchObject({ thread: { id, active: true }, before: { id: before } });
    expect(await client.switchThread(id)).toMatchObject({ before: { id } });
    await client.deleteThread(second.thread.id);
    expect((await client.listThreads()).threads.map((each) => each.id)).toEqual([id]);
    expect((await client.listThreads({ deleted: true })).threads.map((each) => each.id)).toEqual([second.thread.id]);
    await expect(client.switchThread(before)).rejects.toMatchObject({ status: 404, code: "not-found" });

    expect(await client.getSync()).toMatchObject({ state: "off", pending: 0 });

    const untried = everyRoute().filter(([name]) => !server.answered.has(name) && !ELSEWHERE.includes(name));
    expect(untried.map(([name]) => name)).toEqual([]);
  });

  test.each(everyRoute().filter(([, { path }]) => path.includes("{id}")))(
    "%s answers 404 for a thing that does not exist",
    async (_, route) => {
      const path = route.path.replaceAll(/\{\w+\}/g, "T-0000");
      const body = sampleBody(route);
      const response = await server.fetch(path + sampleQuery(route), {
        method: route.method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
    },
  );

  test.each(everyRoute().filter(([, { body }]) => body))("%s refuses a body of another form", async (_, route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, "T-0000");
    for (const body of ["[]", '"text"', "7", "null"]) {
      const response = await server.fetch(path, { method: route.method, body });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: "invalid-input" } });
    }
  });

  test.each(everyRoute())("%s refuses an unknown query", async (_, route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, "T-0000");
    const body = sampleBody(route);
    const response = await server.fetch(`${path}?surprise=1`, {
      method: route.method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(400);
  });
});
