import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, foldEvent, followSession, type RetakeEvent, viewOf } from "@retake/client";
import { event as eventSchema } from "@retake/client/routes";
import { activeTake, decode, encode, entries, insertEntry, operationFormat, settings } from "@retake/core";
import { directories, openStoreAndWorkspace } from "@retake/runtime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MAIN } from "../../../testing/main.ts";
import { TestServer } from "./testing/test-server.ts";

const WINDOW = { entries: "last:300" };

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.close());

/** The command line, as a process of its own on the same store. */
async function retake(...args: string[]): Promise<string> {
  const env = { ...process.env, RETAKE_HOME: server.home };
  return (await promisify(execFile)(process.execPath, [MAIN, ...args], { cwd: server.root, env })).stdout;
}

const descriptions = (events: readonly RetakeEvent[]) =>
  events.flatMap((event) => (event.type === "operation-committed" ? [event.operation.description] : []));

describe("events", () => {
  test("[U7] [P8] a change of another process reaches whoever follows", async () => {
    const id = await server.thread();
    const { seq } = await server.client().getCheckpoint(id);
    const seen = server.until(id, seq, (event) => descriptions([event])[0]?.includes("from outside") ?? false);
    await retake("insert", "--content", "from outside");
    expect(descriptions(await seen)).toEqual(['Insert User entry "from outside"']);
  });

  test("[P8] who comes back misses nothing: also what happened while no server ran", async () => {
    const client = server.client();
    const id = await server.thread();
    const { seq } = await client.getCheckpoint(id);
    await client.addEntry(id, { content: "one" });
    const [first] = await server.until(id, seq, () => true);
    await client.addEntry(id, { content: "two" });
    await server.stop();
    const other = openStoreAndWorkspace({
      directories: directories({ RETAKE_HOME: server.home }),
      root: server.root,
      version: "0",
    });
    other.store.change(id, (state, context) => insertEntry(state, context, { entry: { id: "e3", content: "three" } }));
    await other.close();
    await server.restart();
    const since = (first as Extract<RetakeEvent, { type: "operation-committed" }>).seq;
    const events = await server.until(id, since, (event) => descriptions([event])[0]?.includes("three") ?? false);
    expect(descriptions(events)).toEqual(['Insert User entry "two"', 'Insert User entry "three"']);
    for (const event of events) expect(eventSchema.parse(event)).toBeDefined();
  });

  test("[P8] a stream that told nothing has a position: a change before its loss is told after it is made anew", async () => {
    const client = server.client();
    const id = await server.thread();
    const opened = await readUntil(await server.fetch("/v1/events"), "stream-opened");
    const position = /^id: (.*)$/m.exec(opened)?.[1] ?? "";
    const events = client.followEvents();
    const first = await events.next();
    expect(eventSchema.parse(first.value)).toEqual({ type: "stream-opened", seq: position });
    await server.stop();
    const other = openStoreAndWorkspace({
      directories: directories({ RETAKE_HOME: server.home }),
      root: server.root,
      version: "0",
    });
    other.store.change(id, (state, context) =>
      insertEntry(state, context, { entry: { id: "e1", content: "between" } }),
    );
    await other.close();
    await server.restart();
    const seen: RetakeEvent[] = [];
    for await (const event of events) {
      seen.push(event);
      if (event.type === "operation-committed") break;
    }
    expect(descriptions(seen)).toEqual(['Insert User entry "between"']);
    expect(seen.map(({ type }) => type)).not.toContain("stream-opened");
    const again = await server.fetch("/v1/events", { headers: { "last-event-id": position } });
    expect(await readUntil(again, "between")).toContain('Insert User entry \\"between\\"');
  });

  test("[F39] Last-Event-ID goes before the query; a cursor that never was is a gap, and told as one", async () => {
    const client = server.client();
    const id = await server.thread();
    const { seq } = await client.getCheckpoint(id);
    await client.addEntry(id, { content: "one" });
    const never = "999999999999999.4";
    const [gap] = await server.until(id, never, () => true);
    expect(gap).toMatchObject({ type: "gap", since_seq: never, lost: "operations" });
    for (const bad of ["-1", "1.5.2", "x", "99999999999999999999", "1.2.x"])
      expect((await server.fetch("/v1/events", { headers: { "last-event-id": bad } })).status).toBe(400);
    const stream = await server.fetch(`/v1/events?since_seq=${never}`, { headers: { "last-event-id": seq } });
    const text = await readUntil(stream, "\n\nid:");
    expect(text).toContain("Insert User entry");
    expect(text).not.toContain("gap");
  });

  test("[P8] every event carries the operation as it is stored, and private ones are counted apart", async () => {
    const client = server.client();
    const id = await server.thread();
    const { thread: hidden } = await client.createThread({ private: true });
    const { seq } = await client.getCheckpoint(id);
    await client.addEntry(hidden.id, { content: "hidden" });
    await client.addEntry(id, { content: "open" });
    const seen: RetakeEvent[] = [];
    for await (const event of client.followEvents({ since_seq: seq })) if (seen.push(event) === 2) break;
    for (const event of seen) {
      if (event.type !== "operation-committed") throw new Error(event.type);
      const decoded = decode(operationFormat, event.operation);
      if (decoded.kind === "unreadable") throw new Error(decoded.message);
      expect(encode(operationFormat, decoded.value)).toEqual(event.operation);
      const { version } = await client.getThread(event.thread_id);
      expect(decoded.value.version).toBe(version);
    }
    expect(new Set(seen.map((event) => "thread_id" in event && event.thread_id))).toEqual(new Set([id, hidden.id]));
  });

  test("[P8] an operation that is too large for everybody is named, and a view reads again", async () => {
    const client = server.client();
    const id = await server.thread();
    const view = viewOf(id, await client.getCheckpoint(id, WINDOW));
    await client.addEntry(id, { content: "x".repeat(300_000) });
    const [event] = await server.until(id, view.seq, () => true);
    expect(event).toMatchObject({ type: "operation-omitted", operation: { kind: "entry-inserted" } });
    expect(foldEvent(view, event as RetakeEvent)).toEqual({ kind: "stale" });
  });

  test("only the thread that is asked for is told of, and one that is not there is 404", async () => {
    const client = server.client();
    const [one, other] = [await server.thread(), await server.thread()];
    const { seq } = await client.getCheckpoint(one);
    await client.addEntry(other, { content: "other" });
    await client.addEntry(one, { content: "one" });
    expect(descriptions(await server.until(one, seq, () => true))).toEqual(['Insert User entry "one"']);
    expect((await server.fetch("/v1/events?thread=T-none")).status).toBe(404);
  });

  test("a reader that takes nothing holds up nobody, and gets everything once it reads", async () => {
    const client = server.client();
    const id = await server.thread();
    const { seq } = await client.getCheckpoint(id);
    const slow = await server.fetch(`/v1/events?since_seq=${seq}`);
    const large = "x".repeat(50_000);
    for (let count = 0; count < 60; count += 1) await client.addEntry(id, { content: `${count} ${large}` });
    const text = await readUntil(slow, '"59 xxx');
    const numbers = [...text.matchAll(/Insert User entry \\"(\d+) /g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index));
  });

  test("[P8] a connection of which nothing is heard any more is taken for lost, and made anew", async () => {
    // A set: a slow answer is taken for silence too, and then asked for again.
    const asked = new Set<number>();
    // It tells the event after the last that was heard, and then nothing, without ending the connection.
    const silent = createServer((request, response) => {
      const last = Number(request.headers["last-event-id"] ?? 0);
      asked.add(last);
      const event = { type: "gap", seq: String(last + 1), since_seq: "0", lost: "live" };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`id: ${last + 1}\ndata: ${JSON.stringify(event)}\n\n`);
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const heard: string[] = [];
    for await (const { seq } of createClient({ url }).followEvents({ silence_ms: 50 }))
      if (heard.push(String(seq)) === 3) break;
    expect(heard).toEqual(["1", "2", "3"]);
    expect([...asked]).toEqual([0, 1, 2]);
    silent.closeAllConnections();
    silent.close();
  });

  test("a first capture tells how far it is, and is given up when nobody waits for it", async () => {
    const large = server.makeDirectory("large");
    for (let count = 0; count < 400; count += 1) writeFileSync(join(large, `${count}.txt`), `${count}\n`.repeat(2000));
    const client = server.client();
    const stop = new AbortController();
    const connected = Promise.withResolvers<void>();
    const progress = (async () => {
      const events = client.followEvents({ signal: stop.signal, onConnection: () => connected.resolve() });
      for await (const event of events) if (event.type === "progress") return eventSchema.parse(event);
      return undefined;
    })();
    await connected.promise;
    const leaving = new AbortController();
    const made = client.createThread({ workspace_root: large }, { signal: leaving.signal }).catch(() => undefined);
    expect(await progress).toMatchObject({ what: "capture", workspace_root: large });
    leaving.abort();
    stop.abort();
    await made;
    // Given up or just done, whichever was first; either way the directory can be worked in at once.
    const { thread } = await client.createThread({ workspace_root: large });
    expect(thread.workspace_root).toBe(large);
  });

  test("[S5] a view folded from events equals a fresh read after every one of them", async () => {
    const client = server.client();
    const id = await server.thread("write a.txt: one");
    let view = viewOf(id, await client.getCheckpoint(id, WINDOW));
    const start = view.seq;
    const first = [...entries(view.state, activeTake(view.state))][0]?.id as string;
    await client.editEntry(id, first, { content: "edited" });
    await client.changeSettings(id, { draft: "typing", temperature: 1 });
    await client.branch(id, { entry: first });
    await client.addEntry(id, { content: "in the branch" });
    await client.undo(id, { steps: 2 });
    await server.turn(id, "write b.txt: two");
    await client.undo(id);
    await client.redo(id);
    await client.reset(id);
    await client.undo(id);
    const { version } = await client.getThread(id);
    let read = 0;
    for await (const event of client.followEvents({ thread: id, since_seq: start })) {
      const folded = foldEvent(view, event);
      if (folded.kind === "stale") {
        read += 1;
        view = viewOf(id, await client.getCheckpoint(id, WINDOW));
      } else view = folded.view;
      if (view.state.version >= version) break;
    }
    expect(read).toBeLessThan(4);
    const take = activeTake(view.state);
    const listed = (await client.listEntries(id)).entries;
    expect([...entries(view.state, take)].map(({ order: _, ...entry }) => entry)).toEqual(listed);
    expect(await client.getSettings(id)).toMatchObject(settings(view.state, take));
    expect(view.state.version).toBe((await client.getThread(id)).version);
  });

  test("followSession shows every change, and goes on when the server is started anew", async () => {
    const id = await server.thread();
    const stop = new AbortController();
    const contents: string[][] = [];
    const seen = (async () => {
      for await (const { state } of followSession(server.client(), id, { signal: stop.signal })) {
        contents.push([...entries(state, activeTake(state))].map(({ content }) => content));
        if (contents.at(-1)?.length === 1) {
          await server.restart();
          await server.client().addEntry(id, { content: "two" });
        }
        if (contents.at(-1)?.length === 2) return;
      }
    })();
    await server.client().addEntry(id, { content: "one" });
    await seen;
    stop.abort();
    expect(contents.at(-1)).toEqual(["one", "two"]);
  });
});

async function readUntil(response: Response, wanted: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (reader && !text.includes(wanted)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return text;
}
