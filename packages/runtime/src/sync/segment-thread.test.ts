import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Built, type Context, createThread, insertEntry, type State } from "@retake/core";
import type { Segment } from "@retake/core/sync";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStorePart, type StorePart } from "../store/store-part.ts";
import type { StoredOperation } from "../store/stored-operations.ts";
import { SyncRows } from "../store/sync-rows.ts";
import { newKey } from "./cipher.ts";
import type { FoundSegment } from "./read-segment.ts";
import { sealSegment } from "./segment-codec.ts";
import { SegmentSequence } from "./segment-sequence.ts";
import { SegmentThread } from "./segment-thread.ts";
import { ThreadKeys } from "./thread-keys.ts";

const THREAD = "T-1";
const ENDS = { vault: "v", thread: THREAD, device: "d" };
const keys = new ThreadKeys(newKey(), "v", THREAD);

let folder: string;
let store: StorePart;
let rows: SyncRows;
let segments: Segment[];
let ids = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-segments-"));
  const sender = openStorePart(join(folder, "sender"), { outbox: true });
  sender.threads.place(THREAD, "/w");
  const origin = { id: THREAD, workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  const sent = [change(sender, (_, context) => createThread(context, { origin, title: "main", take: "t1" }))];
  for (const content of ["one", "zwei ü", "三"])
    sent.push(change(sender, (state, context) => insertEntry(state, context, { entry: { id: `e${ids}`, content } })));
  segments = sent.map((id) => segmentOf(new SyncRows(sender.database), id, sender));
  sender.database.close();
  store = openStorePart(join(folder, "receiver"), { outbox: true });
  rows = new SyncRows(store.database);
});
afterEach(() => {
  store.database.close();
  rmSync(folder, { recursive: true });
});

function change({ threads }: StorePart, build: (state: State, context: Context) => Built): string {
  ids += 1;
  const context: Context = { id: `op${ids}`, at: 1_700_000_000_000 + ids, actor: { kind: "user" } };
  const done = threads.change(THREAD, ({ state }) => build(state, context));
  if ("code" in done) throw new Error(done.message);
  return done.id;
}

function segmentOf(sender: SyncRows, id: string, { threads }: StorePart): Segment {
  const [found] = [...sender.outbox(THREAD)].filter((each) => each.id === id);
  const { hash, body } = found as StoredOperation;
  const parents = threads.read(THREAD, (history) => history.operation(id)?.parents ?? []);
  const title = { id: randomUUID(), ...ENDS, kid: "0".repeat(64), blobs: [] };
  const operations = [{ id, tag: keys.tag(hash), parents }];
  return sealSegment(keys, { ...title, operations }, [{ kind: "operation", hash, body }]);
}

async function readInThread(some: readonly Segment[]): Promise<FoundSegment[]> {
  const thread = new SegmentThread({ file: join(folder, "receiver", "retake.db"), key: keys.key, ...ENDS });
  try {
    return await Promise.all(some.map((segment) => thread.read(segment)));
  } finally {
    await thread.close();
  }
}

function readHere(some: readonly Segment[]): FoundSegment[] {
  const sequence = new SegmentSequence({ ...ENDS, keys }, rows);
  return some.map((segment) => sequence.read(segment));
}

/** As plain data: the operations of a segment from the thread are parsed when they are first used. */
function plain(found: readonly FoundSegment[]): unknown {
  return found.map((each) => (each.kind === "read" ? { ...each, read: each.read } : each));
}

test("[L5] a thread reads the same of segments as its caller would, also of those that follow one that is not stored", async () => {
  const here = readHere(segments);
  expect(here.map(({ kind }) => kind)).toEqual(["read", "read", "read", "read"]);
  expect(plain(await readInThread(segments))).toEqual(plain(here));
});

test("[L5] a thread knows the operations that are stored", async () => {
  const [first, ...others] = segments as [Segment, ...Segment[]];
  const [read] = readHere([first]);
  if (read?.kind === "read") store.threads.receiveSynced(THREAD, read.read);
  expect((await readInThread(others)).map(({ kind }) => kind)).toEqual(["read", "read", "read"]);
});

test("[L7] [X16] a thread trusts no segment that was changed, moved or follows none", async () => {
  const [first, second, third] = segments as [Segment, Segment, Segment];
  const changed = { ...second, body: third.body };
  const found = await readInThread([first, changed, third]);
  expect(found).toMatchObject([{ kind: "read" }, { code: "damaged" }, { code: "unknown-parents" }]);
  expect(plain(found)).toEqual(plain(readHere([first, changed, third])));
});

test("[L6] a thread that ends fails the segments that wait for it", async () => {
  const thread = new SegmentThread({ file: join(folder, "nothing", "at-all", "\0"), key: keys.key, ...ENDS });
  await expect(thread.read(segments[0] as Segment)).rejects.toThrow("Nothing was changed");
  await thread.close();
});
