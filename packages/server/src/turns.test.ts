import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ApiError, approvalsIn, type RetakeEvent, viewOf } from "@retake/client";
import { event as eventSchema } from "@retake/client/routes";
import { openDatabase } from "@retake/runtime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isEnd, TestServer } from "./testing/test-server.ts";

const WRITES = {
  turns: [
    {
      steps: [
        { text: "I will write.", tool_calls: [{ name: "write", input: { path: "a.txt", content: "one" } }] },
        { text: "Done." },
      ],
    },
  ],
};

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start(WRITES);
});
afterEach(() => server.close());

const isAsked = (event: RetakeEvent) => event.type === "approval-asked";

describe("turns", () => {
  test("a turn is accepted at once, and what it does is told as it happens", async () => {
    const client = server.client();
    const id = await server.thread();
    const { seq } = await client.getCheckpoint(id);
    const { turn_id, status } = await client.startTurn(id, { prompt: "go", approve: "all" as const });
    expect(status).toBe("queued");
    const events = await server.until(id, seq, (event) => isEnd(event, turn_id));
    const kinds = events.flatMap((event) => (event.type === "operation-committed" ? [event.operation.kind] : []));
    expect(kinds[0]).toBe("turn-started");
    expect(kinds.at(-1)).toBe("turn-finished");
    expect(kinds).toEqual(expect.arrayContaining(["tool-started", "tool-ended"]));
    const entry = `${turn_id}.1`;
    expect(events.filter(({ type }) => type === "text")[0]).toMatchObject({ thread_id: id, turn_id, entry, at: 0 });
    const types = events.map(({ type }) => type).filter((type) => type !== "operation-committed" && type !== "text");
    expect(types).toEqual(["turn-queued", "turn-started", "tool-started", "tool-ended"]);
    expect(server.read("a.txt")).toBe("one");
  });

  test("[P3] a config that is not understood is told as what it is, and nothing begins", async () => {
    const id = await server.thread("go");
    const { version } = await server.client().getThread(id);
    mkdirSync(join(server.home, "config"), { recursive: true });
    writeFileSync(join(server.home, "config", "config.toml"), "model = [");
    const error = await server
      .client()
      .retry(id, {})
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 424, code: "config-malformed" });
    expect((await server.client().getThread(id)).version).toBe(version);
  });

  test("[S1] a turn that was jumped into the middle of is not said to run", async () => {
    const client = server.client();
    const id = await server.thread("go");
    const { operations } = await client.getHistory(id, { all: true });
    const middle = operations.find(({ kind }) => kind === "tool-ended");
    await client.jump(id, { op: middle?.id ?? "" });
    expect((await client.listTurns(id)).turns).toMatchObject([{ status: "interrupted" }]);
  });

  test("[AG44] [AG74] a turn that the store fails in the middle of is ended, and can be taken back", async () => {
    const client = server.client();
    const id = await server.thread();
    const database = openDatabase(join(server.home, "data", "retake.db"));
    database.run(
      `CREATE TRIGGER full BEFORE INSERT ON operations WHEN NEW.body LIKE '%"kind":"tool-started"%'
       BEGIN SELECT RAISE(ABORT, 'full'); END`,
    );
    const { seq } = await client.getCheckpoint(id);
    const { turn_id } = await client.startTurn(id, { prompt: "go", approve: "all" as const });
    const events = await server.until(id, seq, (event) => isEnd(event, turn_id));
    const told: RetakeEvent[] = [];
    for await (const event of client.followTurn(id, turn_id)) told.push(event);
    database.run("DROP TRIGGER full");
    database.close();
    expect(told.at(-1)).toMatchObject({
      type: "turn-finished",
      status: "failed",
      failure: { origin: "io", message: expect.stringMatching(/full/), advice: expect.stringMatching(/undo/) },
    });
    expect(events.filter(({ type }) => type === "turn-not-started")).toEqual([]);
    expect((await client.listTurns(id)).turns).toMatchObject([{ id: turn_id, status: "failed" }]);
    await client.undo(id);
    expect((await client.listEntries(id)).entries).toEqual([]);
  });

  test("[F37] [L3] what waits for approval is shown to every reader, and goes on by the call's id", async () => {
    const client = server.client();
    const id = await server.thread();
    const { seq } = await client.getCheckpoint(id);
    const { turn_id } = await client.startTurn(id, { prompt: "go", approve: "ask" });
    await server.until(id, seq, isAsked);
    const [turn] = (await client.listTurns(id)).turns;
    const [approval] = turn?.approvals ?? [];
    expect(turn).toMatchObject({ id: turn_id, status: "running" });
    expect(approval).toMatchObject({ name: "write", input: { path: "a.txt" } });
    expect(approvalsIn(viewOf(id, await client.getCheckpoint(id, { entries: "last:10" })))).toMatchObject([
      { turn_id, name: "write" },
    ]);
    expect(server.read("a.txt")).toBeUndefined();
    const call = approval?.call_id as string;
    const pending = { call_id: call, name: "write", entry_id: expect.any(String), status: "pending" };
    const waiting = { state: "executing-tools", turn_id, tool_calls: [pending] };
    expect((await client.getThread(id)).agent).toEqual(waiting);
    await expect(client.decideApproval(id, turn_id, "another", { decision: "allow" })).rejects.toMatchObject({
      status: 404,
    });
    await client.decideApproval(id, turn_id, call, { decision: "allow" });
    await server.until(id, seq, (event) => isEnd(event, turn_id));
    expect(server.read("a.txt")).toBe("one");
    expect((await client.getThread(id)).agent).toBeNull();
    await expect(client.decideApproval(id, turn_id, call, { decision: "allow" })).rejects.toMatchObject({
      status: 404,
    });
  });

  test("one turn can be followed from its beginning, by who comes late too; the stream ends with it", async () => {
    const client = server.client();
    const id = await server.thread();
    const { turn_id } = await client.startTurn(id, { prompt: "go", approve: "ask" });
    const seen: RetakeEvent[] = [];
    for await (const event of client.followTurn(id, turn_id)) {
      seen.push(eventSchema.parse(event));
      if (event.type === "approval-asked") {
        expect(event).toMatchObject({ name: "write", input: { path: "a.txt" } });
        await client.decideApproval(id, turn_id, event.call_id, { decision: "allow" });
      }
    }
    const told = seen.map(({ type }) => type).filter((type) => type !== "text" && type !== "operation-committed");
    expect(told).toEqual([
      ...[
        "turn-queued",
        "turn-started",
        "approval-asked",
        "approval-given",
        "tool-started",
        "tool-ended",
        "turn-finished",
      ],
    ]);
    expect(seen.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("")).toBe("I will write.Done.");
    const kinds = seen.flatMap((event) => (event.type === "operation-committed" ? [event.operation.kind] : []));
    expect([kinds[0], kinds.at(-1)]).toEqual(["turn-started", "turn-finished"]);
    const again: RetakeEvent[] = [];
    for await (const event of client.followTurn(id, turn_id)) again.push(event);
    expect(again).toEqual(seen);
    const rest: RetakeEvent[] = [];
    for await (const event of client.followTurn(id, turn_id, { since_seq: (seen[2] as RetakeEvent).seq }))
      rest.push(event);
    expect(rest).toEqual(seen.slice(3));
    const other = await server.thread();
    for (const [thread, turn] of [[other, turn_id] as const, [id, "another"] as const])
      await expect(client.followTurn(thread, turn).next()).rejects.toMatchObject({ status: 404 });
  });

  test("[L9] who follows a turn hears of its end when the server ends", async () => {
    const client = server.client();
    const id = await server.thread();
    const { turn_id } = await client.startTurn(id, { prompt: "go", approve: "ask" });
    const seen: RetakeEvent[] = [];
    let stopped: Promise<void> | undefined;
    for await (const event of client.followTurn(id, turn_id)) {
      seen.push(event);
      if (event.type === "approval-asked") stopped = server.stop();
    }
    await stopped;
    expect(seen.at(-1)).toMatchObject({ type: "turn-finished", status: "interrupted" });
  });

  test("denied, the tool does not run; allowed always, it is not asked about again", async () => {
    const client = server.client();
    const id = await server.thread();
    for (const decision of ["deny", "allow-always"] as const) {
      const { seq } = await client.getCheckpoint(id);
      const { turn_id } = await client.startTurn(id, { prompt: decision, approve: "ask" });
      await server.until(id, seq, isAsked);
      const turn = (await client.listTurns(id)).turns.find((each) => each.id === turn_id);
      await client.decideApproval(id, turn_id, turn?.approvals[0]?.call_id as string, { decision });
      await server.until(id, seq, (event) => isEnd(event, turn_id));
      expect(server.read("a.txt")).toBe(decision === "deny" ? undefined : "one");
    }
    expect((await client.getApprovals({ workspace: server.root })).rules).toMatchObject([
      { tool: "write", path: "a.txt" },
    ]);
    await client.undo(id);
    expect(server.read("a.txt")).toBeUndefined();
    const { seq } = await client.getCheckpoint(id);
    const { turn_id } = await client.startTurn(id, { prompt: "again", approve: "ask" });
    await server.until(id, seq, (event) => isEnd(event, turn_id));
    expect(server.read("a.txt")).toBe("one");
  });

  test("a turn that runs or waits can be interrupted; while it runs, undo is refused and reads are answered", async () => {
    const client = server.client();
    const id = await server.thread();
    const { seq } = await client.getCheckpoint(id);
    const { turn_id: running } = await client.startTurn(id, { prompt: "first", approve: "ask" });
    await server.until(id, seq, isAsked);
    const { turn_id: waiting } = await client.startTurn(id, { prompt: "second", approve: "ask" });
    const { turns } = await client.listTurns(id);
    expect(turns.map(({ id: each, status }) => [each, status])).toEqual([
      [running, "running"],
      [waiting, "queued"],
    ]);
    await expect(client.undo(id)).rejects.toMatchObject({ status: 409, code: "agent-running" });
    await expect(client.clear(id)).rejects.toMatchObject({ status: 409, code: "agent-running" });
    expect(await client.interruptTurn(id, waiting)).toMatchObject({ turn_id: waiting, status: "not-started" });
    expect(await client.interruptTurn(id, running)).toMatchObject({ turn_id: running, status: "interrupted" });
    expect(server.read("a.txt")).toBeUndefined();
    await expect(client.interruptTurn(id, running)).rejects.toMatchObject({ status: 404 });
    await client.undo(id);
    expect((await client.listEntries(id)).entries).toEqual([]);
  });

  test("a turn that is said not to have started does not begin after that answer", async () => {
    const client = server.client();
    const id = await server.thread();
    // The first capture takes a while, in which the turn is neither waiting nor running.
    for (let number = 0; number < 500; number += 1) writeFileSync(join(server.root, `${number}.txt`), `${number}`);
    const { turn_id } = await client.startTurn(id, { prompt: "first", approve: "ask" });
    const { status } = await client.interruptTurn(id, turn_id);
    await server.turn(id, "second");
    const began = (await client.listEntries(id)).entries.some((entry) => entry.turn_id === turn_id);
    expect({ status, began }).toEqual({ status: began ? "interrupted" : "not-started", began });
  });

  test("another thread of the same directory waits for its turn, and its undo is refused meanwhile", async () => {
    const client = server.client();
    const [one, other] = [await server.thread(), await server.thread()];
    const { seq } = await client.getCheckpoint(one);
    const { turn_id: first } = await client.startTurn(one, { prompt: "first", approve: "ask" });
    await server.until(one, seq, isAsked);
    const { turn_id: second } = await client.startTurn(other, { prompt: "second", approve: "all" as const });
    await expect(client.undo(other)).rejects.toMatchObject({ status: 409, code: "busy" });
    expect((await client.listTurns(other)).turns).toMatchObject([{ id: second, status: "queued" }]);
    await client.interruptTurn(one, first);
    await server.until(other, seq, (event) => isEnd(event, second));
    expect(server.read("a.txt")).toBe("one");
  });

  test("a turn that may wait for a limited time says that it waits, and is not started after that time", async () => {
    const client = server.client();
    const [one, other] = [await server.thread(), await server.thread()];
    const { seq } = await client.getCheckpoint(one);
    const { turn_id: first } = await client.startTurn(one, { prompt: "first", approve: "ask" });
    await server.until(one, seq, isAsked);
    for (const thread of [one, other]) {
      const { turn_id } = await client.startTurn(thread, { prompt: "late", approve: "all", wait_ms: 200 });
      const types: string[] = [];
      for await (const event of client.followTurn(thread, turn_id)) {
        types.push(event.type);
        if (event.type === "turn-not-started") expect(event.code).toBe("busy");
      }
      expect(types).toEqual(["turn-queued", "notice", "turn-not-started"]);
    }
    await client.interruptTurn(one, first);
    await server.turn(other, "in time");
    expect(server.read("a.txt")).toBe("one");
  });

  test("the limited time is for others: a turn whose own tools start slowly begins all the same", async () => {
    mkdirSync(join(server.home, "config"), { recursive: true });
    writeFileSync(join(server.home, "config", "config.toml"), '[mcp.slow]\ncommand = "sleep"\nargs = ["1"]\n');
    await server.restart(WRITES);
    const client = server.client();
    const thread = await server.thread();
    const { turn_id } = await client.startTurn(thread, { prompt: "go", approve: "all", wait_ms: 50 });
    const types: string[] = [];
    for await (const event of client.followTurn(thread, turn_id)) types.push(event.type);
    expect(types.at(-1)).toBe("turn-finished");
  });

  test("a model that does not exist, an empty prompt: refused before anything has changed", async () => {
    const client = server.client();
    const id = await server.thread();
    const before = await client.getCheckpoint(id);
    for (const turn of [{ prompt: " " }, { prompt: "x", model: "nobody/nothing" }, { prompt: "x", model: "nonsense" }])
      await expect(client.startTurn(id, turn)).rejects.toBeInstanceOf(ApiError);
    await expect(client.startTurn(id, { prompt: " ", approve: "ask" })).rejects.toMatchObject({ status: 422 });
    expect(await client.getCheckpoint(id)).toEqual(before);
  });

  test("[L9] a server that ends in the middle of a turn ends the turn; the next one goes on", async () => {
    const id = await server.thread();
    const { seq } = await server.client().getCheckpoint(id);
    const { turn_id } = await server.client().startTurn(id, { prompt: "go", approve: "ask" });
    await server.until(id, seq, isAsked);
    await server.restart(WRITES);
    const client = server.client();
    expect((await client.listTurns(id)).turns).toMatchObject([{ id: turn_id, status: "interrupted" }]);
    expect(await client.undo(id)).toMatchObject({ turns_undone: 1 });
    writeFileSync(join(server.root, "mine.txt"), "mine");
    await server.turn(id, "again");
    expect(server.read("a.txt")).toBe("one");
  });
});
