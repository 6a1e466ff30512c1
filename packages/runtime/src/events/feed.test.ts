import { watch } from "node:fs";
import { changeSetting } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openStore, type Store } from "../store/open-store.ts";
import { SharedWorkspace } from "../undo/testing/shared-workspace.ts";
import { parseCursor } from "./cursor.ts";
import { Feed, type Following } from "./feed.ts";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return { ...fs, watch: vi.fn(fs.watch) };
});

let shared: SharedWorkspace;
let stores: Store;
let feed: Feed;
beforeEach(() => {
  shared = new SharedWorkspace();
  stores = openStore(shared.workspace.store);
  feed = new Feed(stores);
});
afterEach(async () => {
  feed.close();
  stores.close();
  await shared.remove();
});

const { signal } = new AbortController();

/** As another process would: the feed has not looked. */
function type(thread: string, text: string): void {
  const done = shared.workspace.store.change(thread, (state, context) =>
    changeSetting(state, context, { field: "draft", value: text }),
  );
  if ("code" in done) throw new Error(done.message);
}

interface Told {
  readonly type: string;
  readonly seq: string;
  readonly [field: string]: unknown;
}

/** The events that a reader can get now. */
async function read(following: Omit<Following, "signal">): Promise<Told[]> {
  const told: Told[] = [];
  for await (const batch of feed.follow({ ...following, signal, heartbeat_ms: 1 })) {
    if (batch.length === 0) break;
    told.push(...batch.map(({ json }) => JSON.parse(json) as Told));
  }
  return told;
}

const versions = (told: readonly Told[]) =>
  told.flatMap(({ type, operation }) =>
    type === "operation-committed" ? [(operation as { version: number }).version] : [],
  );

describe("the feed", () => {
  test("[P8] follows the log where no file can be watched any more", async () => {
    vi.mocked(watch).mockImplementation(() => {
      throw Object.assign(new Error("System limit for number of file watchers reached"), { code: "ENOSPC" });
    });
    const thread = await shared.workspace.newThread("t");
    const following = feed.follow({ thread, signal, heartbeat_ms: 10_000 });
    await following.next();
    type(thread, "one");
    const { value = [] } = await following.next();
    expect(versions(value.map(({ json }) => JSON.parse(json) as Told))).toHaveLength(1);
    vi.mocked(watch).mockReset();
    await following.return(undefined);
  });

  test("[P8] [L8] does not repeat events from the log, whichever store had new ones meanwhile", async () => {
    const open = await shared.workspace.newThread("open");
    const hidden = await shared.workspace.newThread("hidden", { private: true });
    const all = feed.follow({ signal, heartbeat_ms: 1 });
    await all.next();
    const { shared: count, private: own } = parseCursor(feed.cursor()) ?? { shared: 0, private: 0 };
    type(open, "one");
    type(open, "two");
    feed.look();
    type(hidden, "three");
    const reader = feed.follow({
      since: { shared: count, private: own - 1 },
      thread: hidden,
      signal,
      heartbeat_ms: 1,
    });
    const told: Told[] = [];
    for (let batch = 0; batch < 4; batch += 1) {
      const { value = [] } = await reader.next();
      told.push(...value.map(({ json }) => JSON.parse(json) as Told));
      if (batch === 2) feed.look();
    }
    expect(versions(told)).toEqual([1, 2]);
    await Promise.all([reader.return(), all.return()]);
  });

  test("[F39] every cursor leads to exactly the events after it, in any mixture of stores and live events", async () => {
    const open = await shared.workspace.newThread("open");
    const hidden = await shared.workspace.newThread("hidden", { private: true });
    // Beyond 2^22 private operations, a cursor that is one number for both stores would name shared ones.
    const { database } = shared.workspace.store.partOf(hidden);
    database.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'operations'", 2 ** 22 - 2);
    type(hidden, "before");
    feed.look();
    const begin = feed.cursor();
    const all = feed.follow({ signal, heartbeat_ms: 1 });
    await all.next();
    for (let count = 0; count < 6; count += 1) {
      type(count % 2 === 0 ? open : hidden, `${count}`);
      feed.look();
      feed.tell({ type: "text", thread_id: open, turn_id: "t", text: `${count}` });
    }
    const told = await read({ since: parseCursor(begin) });
    expect(told).toHaveLength(12);
    for (const [index, { seq }] of told.entries())
      expect(await read({ since: parseCursor(seq) })).toEqual(told.slice(index + 1));
    await all.return();
  });

  test("a reader that returns to another process misses no operation, and learns that live events are lost", async () => {
    const open = await shared.workspace.newThread("open");
    const since = parseCursor(feed.cursor());
    feed.close();
    feed = new Feed(stores);
    type(open, "one");
    const [gap, ...rest] = await read({ since });
    expect(gap).toMatchObject({ type: "gap", lost: "live" });
    expect(versions(rest)).toEqual([2]);
    expect(await read({ since: parseCursor((rest[0] as Told).seq) })).toEqual([]);
  });

  test("[P8] a reader from now on is told its position first, which leads to all that comes after", async () => {
    const open = await shared.workspace.newThread("open");
    const reader = feed.follow({ thread: "T-other", signal, heartbeat_ms: 1 });
    const { value: [opened] = [] } = await reader.next();
    await reader.return();
    expect(JSON.parse(opened?.json ?? "")).toEqual({ type: "stream-opened", seq: feed.cursor() });
    type(open, "one");
    expect(versions(await read({ since: parseCursor(opened?.seq ?? "") }))).toEqual([2]);
    feed.beginTurn("turn");
    feed.endTurn("turn");
    expect(await read({ turn: "turn" })).toEqual([]);
  });

  test("operations that the store does not have are reported as a gap", async () => {
    await shared.workspace.newThread("open");
    expect(await read({ since: { shared: 900, private: 0 } })).toEqual([
      { type: "gap", seq: feed.cursor(), since_seq: "900.0", lost: "operations" },
    ]);
  });
});

describe("the events of one turn", () => {
  const say = (turn: string, text: string) => feed.tell({ type: "text", thread_id: "T", turn_id: turn, text });
  const texts = (told: readonly Told[]) => told.map(({ type, text }) => text ?? type);

  test("reach a late reader from the turn's start or after a cursor, and end with the turn", async () => {
    feed.tell({ type: "text", thread_id: "T", turn_id: "one", text: "before" });
    feed.beginTurn("one");
    const early = all("one");
    for (const text of ["a", "b", "c"]) {
      say("one", text);
      say("other", text);
    }
    feed.endTurn("one");
    const told = await early;
    expect(texts(told)).toEqual(["a", "b", "c"]);
    expect(texts(await all("one", (told[1] as Told).seq))).toEqual(["c"]);
    expect(await all("one", (told[2] as Told).seq)).toEqual([]);
  });

  test("are kept while it runs; events that are no longer kept are a gap", async () => {
    feed.close();
    feed = new Feed(stores, 4000);
    feed.beginTurn("one");
    for (let number = 1; number <= 100; number += 1) say("one", `text ${number}`);
    feed.endTurn("one");
    const [gap, ...rest] = await all("one");
    expect(gap).toMatchObject({ type: "gap", lost: "live" });
    expect(rest.length).toBeGreaterThan(10);
    expect(texts(rest)).toEqual(rest.map((_, index) => `text ${101 - rest.length + index}`));
  });

  test("a silent turn still sends heartbeats, and no reader waits after the signal", async () => {
    feed.beginTurn("one");
    const leaving = new AbortController();
    const batches: number[] = [];
    for await (const { length } of feed.follow({ turn: "one", signal: leaving.signal, heartbeat_ms: 1 })) {
      batches.push(length);
      if (batches.length === 2) leaving.abort();
    }
    expect(batches).toEqual([0, 0]);
  });

  async function all(turn: string, since?: string): Promise<Told[]> {
    const told: Told[] = [];
    const from = since === undefined ? {} : { since: parseCursor(since) };
    for await (const batch of feed.follow({ turn, signal, ...from }))
      told.push(...batch.map(({ json }) => JSON.parse(json) as Told));
    return told;
  }
});
