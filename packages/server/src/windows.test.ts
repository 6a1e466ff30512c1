import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, type SessionView, viewOf, windowQuery } from "@retake/client";
import { entries, type WindowRequest } from "@retake/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
let client: Client;
let thread: string;
const ids = Array.from({ length: 100 }, (_, index) => `e${index}`);
beforeAll(async () => {
  server = await TestServer.start();
  client = server.client();
  thread = await server.thread();
  await client.replaceEntries(thread, {
    entries: ids.map((id, index) => ({ id, content: id, role: index % 2 === 0 ? "User" : "AI" })),
  });
});
afterAll(() => server.close());

describe("pages of entries", () => {
  const page = async (query: Parameters<Client["listEntries"]>[1]) => {
    const { entries, more_before, more_after, cursor } = await client.listEntries(thread, query);
    return { ids: entries.map(({ id }) => id), more: [more_before, more_after], cursor };
  };

  test("[S1] the ones before and after an entry, with whether there are more", async () => {
    expect(await page({ before: "e50", limit: 3 })).toEqual({ ids: ["e47", "e48", "e49"], more: [true, true] });
    expect(await page({ after: "e50", limit: 3 })).toMatchObject({ ids: ["e51", "e52", "e53"], more: [true, true] });
    expect(await page({ before: "e2", limit: 3 })).toEqual({ ids: ["e0", "e1"], more: [false, true] });
    expect(await page({ after: "e97", limit: 3 })).toEqual({ ids: ["e98", "e99"], more: [true, false] });
    expect(await page({ before: "e50", limit: 2, role: "AI" })).toMatchObject({ ids: ["e47", "e49"] });
    expect(await page({ before: "e0", limit: 3 })).toEqual({ ids: [], more: [false, true] });
    expect(await page({ last: 2 })).toEqual({ ids: ["e98", "e99"], more: [true, false] });
    expect(await page({ last: 200, role: "AI" })).toMatchObject({ ids: ids.filter((_, index) => index % 2 === 1) });
    await expect(client.listEntries(thread, { before: "e1", last: 2 })).rejects.toMatchObject({ status: 400 });
    await expect(client.listEntries(thread, { before: "none" })).rejects.toMatchObject({ status: 404 });
    await expect(client.listEntries(thread, { before: "e1", after: "e2" })).rejects.toMatchObject({ status: 400 });
  });

  test("[P8] pages forward and backward join to the whole conversation", async () => {
    const forward: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const next = await page({ limit: 7, ...(cursor === undefined ? {} : { cursor }) });
      forward.push(...next.ids);
      cursor = next.cursor;
    }
    expect(forward).toEqual(ids);
    let backward = ["e99"];
    for (let more = true; more; ) {
      const next = await page({ limit: 7, before: backward[0] as string });
      backward = [...next.ids, ...backward];
      more = next.more[0] as boolean;
    }
    expect(backward).toEqual(ids);
  });

  test("[H14] of any point, also one that is not now; a point of another thread is not found", async () => {
    const { head, version } = await client.getThread(thread);
    await client.editEntry(thread, "e99", { content: "edited" });
    const { op_id } = await client.removeEntry(thread, "e98");
    const then = await client.listEntries(thread, { at: head as string, after: "e97" });
    expect(then.entries.map(({ content }) => content)).toEqual(["e98", "e99"]);
    expect(then.version).toBe(version);
    const now = await client.listEntries(thread, { at: op_id as string, after: "e97" });
    expect(now.entries.map(({ content }) => content)).toEqual(["edited"]);
    const other = await client.getThread(await server.thread());
    await expect(client.listEntries(thread, { at: other.head as string })).rejects.toMatchObject({ status: 404 });
    await client.undo(thread, { steps: 2 });
    expect((await client.getThread(thread)).version).toBe(version + 3);
  });
});

test("[P8] pages of turns join to all of them, those that wait included", async () => {
  const id = await server.thread("one", "two", "three", "four", "five");
  const all = (await client.listTurns(id)).turns.map(({ id: turn }) => turn);
  expect(all).toHaveLength(5);
  const joined: string[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await client.listTurns(id, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.turns.length).toBeLessThanOrEqual(2);
    joined.push(...page.turns.map(({ id: turn }) => turn));
    cursor = page.cursor;
  }
  expect(joined).toEqual(all);
  let page = await client.listTurns(id, { last: 2 });
  const backward = page.turns.map(({ id: turn }) => turn);
  while (page.more_before) {
    page = await client.listTurns(id, { before: backward[0] as string, limit: 2 });
    backward.unshift(...page.turns.map(({ id: turn }) => turn));
  }
  expect(backward).toEqual(all);
  expect(page.cursor).toBeUndefined();
  await expect(client.listTurns(id, { last: 2, cursor: all[1] as string })).rejects.toMatchObject({ status: 400 });
  await expect(client.listTurns(id, { cursor: "none" })).rejects.toMatchObject({ status: 400 });
});

describe("windows of a state", () => {
  const shown = (view: SessionView) => [...entries(view.state, view.take)].map(({ id }) => id);
  const window = async (request: WindowRequest, more: object = {}) =>
    viewOf(thread, await client.getCheckpoint(thread, { ...windowQuery(request), ...more }));

  test("[S5] the last entries, those before and after one, and a range; each says what lies outside", async () => {
    const last = await window({ last: 3 });
    expect(shown(last)).toEqual(["e97", "e98", "e99"]);
    expect(last).toMatchObject({ to: null, next: null, total: 100, previous: expect.stringMatching(/ e96$/) });
    expect(shown(await window({ before: "e50", count: 2 }))).toEqual(["e48", "e49"]);
    expect(shown(await window({ after: "e50", count: 2 }))).toEqual(["e51", "e52"]);
    const { from, to, groups } = last;
    expect(shown(await window({ from, to, groups, more_before: 2 }))).toEqual(["e95", "e96", "e97", "e98", "e99"]);
    await expect(window({ before: "none", count: 2 })).rejects.toMatchObject({ status: 404 });
    await expect(window({ last: 2 }, { take: "none" })).rejects.toMatchObject({ status: 404 });
    for (const wrong of ["last", "last:x", "first:3", "before:3"])
      await expect(client.getCheckpoint(thread, { entries: wrong })).rejects.toMatchObject({ status: 400 });
  });

  test("[H14] of any point; reading one commits nothing", async () => {
    const { head, version } = await client.getThread(thread);
    await client.removeEntry(thread, "e99");
    const then = await window({ last: 1 }, { at: head });
    expect(shown(then)).toEqual(["e99"]);
    expect(then.state.version).toBe(version);
    expect(shown(await window({ last: 1 }))).toEqual(["e98"]);
    await client.undo(thread, { steps: 1 });
    expect((await client.getThread(thread)).version).toBe(version + 2);
  });
});

describe("files of any point", () => {
  test("[H14] how they went between two points: names and counts first, hunks of one when asked, in pages", async () => {
    const id = await server.thread(
      "write one.txt: 1\\n2\\n3",
      "run mkdir -p d; for i in 1 2 3 4 5; do echo $i > d/$i; done",
    );
    const { operations } = await client.getHistory(id);
    const [last, first] = operations.filter(({ kind }) => kind === "turn-finished").map((operation) => operation.id);
    const all = await client.diffThread(id, { from: first, to: last });
    expect(all.files.map(({ path, additions }) => [path, additions])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [`d/${number}`, 1]),
    );
    expect(all).toMatchObject({ total: 5 });
    expect(all.files[0]?.hunks).toBeUndefined();
    const page = await client.diffThread(id, { from: first, to: last, limit: 2 });
    expect(page).toMatchObject({ total: 5, cursor: "d/2" });
    const rest = await client.diffThread(id, { from: first, to: last, limit: 9, cursor: page.cursor });
    expect([...page.files, ...rest.files]).toEqual(all.files);
    const one = await client.diffThread(id, { from: first, to: last, path: "d/3", hunks: true });
    expect(one.files).toMatchObject([{ path: "d/3", hunks: [{ lines: ["+3"] }] }]);
    expect((await client.diffThread(id, { from: last, to: first })).files).toMatchObject([
      { status: "removed" },
      { status: "removed" },
      { status: "removed" },
      { status: "removed" },
      { status: "removed" },
    ]);
    const { version } = await client.getThread(id);
    writeFileSync(join(server.root, "mine.txt"), "mine\n");
    expect((await client.diffThread(id)).files).toMatchObject([{ path: "mine.txt", status: "added" }]);
    expect((await client.getThread(id)).version).toBe(version);
    await expect(client.diffThread(id, { from: "none" })).rejects.toMatchObject({ status: 404 });
  });

  test("[H14] one file's content, at a point or now, whole or in parts; never one of outside", async () => {
    const id = await server.thread("write text.txt: äöü", "write text.txt: changed");
    const { operations } = await client.getHistory(id);
    const [, first] = operations.filter(({ kind }) => kind === "turn-finished").map((operation) => operation.id);
    const then = await client.readFile(id, { path: "text.txt", at: first as string });
    expect(then).toMatchObject({ kind: "file", encoding: "utf8", content: "äöü", size: 6, more: false });
    expect(await client.readFile(id, { path: "text.txt" })).toMatchObject({ content: "changed" });
    const part = await client.readFile(id, { path: "text.txt", at: first as string, limit: 3 });
    expect(part).toMatchObject({ content: "ä", more: true });
    expect(await client.readFile(id, { path: "text.txt", at: first as string, offset: 2 })).toMatchObject({
      content: "öü",
    });
    writeFileSync(join(server.root, "binary"), Buffer.from([0, 255, 254]));
    symlinkSync("/etc/hostname", join(server.root, "link"));
    symlinkSync("/etc", join(server.root, "linked"));
    expect(await client.readFile(id, { path: "binary" })).toMatchObject({ encoding: "base64", content: "AP/+" });
    expect(await client.readFile(id, { path: "link" })).toMatchObject({ kind: "link", content: "/etc/hostname" });
    for (const path of ["../home/state/token", "linked/hostname", "/etc/hostname", "none", "."])
      await expect(client.readFile(id, { path })).rejects.toMatchObject({ status: 404 });
  });
});
