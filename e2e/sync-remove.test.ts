/** Threads that a user removes from the server, or deletes, with real machines and the built server. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectEqual, SyncPlaces, syncAll } from "./sync/sync-places.ts";
import type { RetakePlace } from "./testing/retake-place.ts";

const sync = new SyncPlaces();
let one: RetakePlace;
let two: RetakePlace;

beforeAll(() => sync.start());
beforeEach(async () => {
  await sync.newVault();
  one = await sync.join();
  two = await sync.join();
});
afterAll(() => sync.close());

async function newThread(prompt: string, ...options: readonly string[]): Promise<string> {
  const { answer, status } = await one.call(["run", prompt, "--new", ...options]);
  expect(status).toBe(0);
  return String(answer["thread_id"]);
}

const ids = ({ answer }: { readonly answer: Record<string, unknown> }, list: string) =>
  (answer[list] as { readonly thread_id?: string; readonly id?: string }[]).map((each) => each.thread_id ?? each.id);

describe("retake sync remove", () => {
  test("[L5] [X16] a removed thread stays on its machines with all that waited there, and no other machine gets it", async () => {
    const [removed, kept] = [await newThread("remove me"), await newThread("keep me")];
    await syncAll([one, two]);
    const insert = async (place: RetakePlace, content: string) =>
      expect(await place.call(["insert", "--thread", removed, "--content", content], one.root)).toMatchObject({
        status: 0,
      });
    await insert(two, "typed on two meanwhile");
    expect(await one.call(["sync", "remove", removed])).toMatchObject({ status: 2 });
    expect(await one.call(["sync", "remove", removed, "--yes"])).toMatchObject({
      status: 0,
      answer: { retention_days: 30 },
    });

    for (const place of [one, two]) {
      await insert(place, place === one ? "typed on one" : "typed on two");
      const now = await place.call(["sync", "now"]);
      expect(now).toMatchObject({ status: 0, answer: { state: "synced", pending: 0 } });
      expect(ids(now, "removed")).toEqual([removed]);
    }
    const { answer } = await two.call(["entries", "--thread", removed], one.root);
    expect(JSON.stringify(answer)).toContain("typed on two meanwhile");
    expect(JSON.stringify(answer)).not.toContain("typed on one");

    const three = await sync.join();
    await syncAll([three]);
    const threads = ids(await three.call(["threads", "--all"]), "threads");
    expect(threads).toContain(kept);
    expect(threads).not.toContain(removed);
    expect(ids(await three.call(["sync"]), "removed")).toEqual([]);
    expect((await one.call(["sync", "rotate"])).status).toBe(0);
    await syncAll([two, three]);
  });

  test("[L8] a thread that the server does not have is not removed, and that is said", async () => {
    const thread = await newThread("for me alone", "--private");
    const { status, answer } = await one.call(["sync", "remove", thread, "--yes"]);
    expect(status).toBe(1);
    expect(JSON.stringify(answer)).toContain("Nothing was removed.");
    expect(await one.call(["sync", "remove", "--yes"])).toMatchObject({ status: 2 });
  });
});

test("[L7] a thread that one machine deletes while another goes on with it is kept on both", async () => {
  const [deleted] = [await newThread("delete me"), await newThread("keep me")];
  await syncAll([one, two]);
  expect(await one.call(["delete", deleted])).toMatchObject({ status: 0 });
  const insert = ["insert", "--thread", deleted, "--content", "from two"];
  expect(await two.call(insert, one.root)).toMatchObject({ status: 0 });
  await syncAll([one, two]);
  expect(await two.call(insert, one.root)).toMatchObject({ status: 0 });
  await syncAll([two, one]);
  await expectEqual([one, two]);
  for (const place of [one, two]) expect(ids(await place.call(["threads", "--all"]), "threads")).toContain(deleted);
  const { answer } = await one.call(["entries", "--thread", deleted], one.root);
  expect(JSON.stringify(answer).split("from two")).toHaveLength(3);
});
