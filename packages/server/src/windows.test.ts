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
    await expect(client.listEntries(thread, { before: "none" })).rejects.toMatchObject({ status: 400 });
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
