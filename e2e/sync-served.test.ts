import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SyncPlaces } from "./sync/sync-places.ts";
import { ServedPlace } from "./testing/served-place.ts";

let sync: SyncPlaces;
let servers: readonly [ServedPlace, ServedPlace];
beforeEach(async () => {
  sync = new SyncPlaces();
  servers = [new ServedPlace(), new ServedPlace()];
  await Promise.all([sync.start(), ...servers.map((each) => each.start())]);
});
afterEach(async () => {
  for (const each of servers) await each.remove();
  await sync.close();
});

describe("running servers", () => {
  test("[L5] [L6] sync in the background from the login on, in both directions, and tell readers of events", async () => {
    const [one, two] = servers.map((each) => each.client());
    if (!one || !two) throw new Error("two servers were started");
    const joined = await one.loginSync({ url: sync.url, invitation: await sync.invitation(), name: "one" });
    expect(joined).toMatchObject({ state: "joined", words: expect.stringMatching(/^(\w+ ){23}\w+$/) });
    const { code = "", words } = await two.loginSync({ url: sync.url, name: "two" });
    expect(await two.followSyncLogin()).toEqual({ state: "waiting" });
    expect(await one.linkSyncDevice({ code, words: words.split(" ") })).toEqual({ name: "two" });
    expect(await two.followSyncLogin()).toEqual({ state: "joined" });
    expect((await one.listSyncDevices()).devices.map(({ name, own }) => [name, own])).toEqual([
      ["one", true],
      ["two", false],
    ]);

    const { thread } = await one.createThread({ title: "shared" });
    await until(async () => (await two.getThread(thread.id)).title === "shared");
    const { seq } = await one.getCheckpoint(thread.id);
    await two.addEntry(thread.id, { content: "from two", role: "User" });
    const seen = new AbortController();
    for await (const event of one.followEvents({ since_seq: seq, signal: seen.signal }))
      if (event.type === "operation-committed" && JSON.stringify(event.operation).includes("from two")) seen.abort();
    await until(async () => (await one.getSync()).state === "synced");

    // Every machine knows who reads a thread.
    const { share } = await one.shareThread(thread.id, {});
    expect(share).toMatchObject({ readers: "link", link: expect.stringContaining("/s/") });
    await until(async () => (await two.getThread(thread.id)).visibility === "public");
    expect((await two.listShares()).shares).toMatchObject([{ thread_id: thread.id, link: share.link }]);
    expect(await two.unshareThread(thread.id)).toEqual({ ended: 1 });
    await until(async () => (await one.getThread(thread.id)).visibility === "organization");
    expect(await one.getSyncAccount()).toMatchObject({ threads: 1, devices: 2 });

    expect(await one.rotateSyncKey()).toMatchObject({ words: expect.stringMatching(/^(\w+ ){23}\w+$/) });
    await two.addEntry(thread.id, { content: "after the rotation", role: "User" });
    await until(async () => JSON.stringify(await one.listEntries(thread.id)).includes("after the rotation"));
    const device = (await one.listSyncDevices()).devices.find(({ own }) => !own)?.device ?? "";
    await one.revokeSyncDevice(device);
    await two.addEntry(thread.id, { content: "not sent", role: "User" });
    await until(async () => (await two.getSync()).problem?.code === "revoked");
    expect(await two.logoutSync()).toEqual({ told: false });
    await one.deleteSyncAccount();
    expect(await one.getSync()).toMatchObject({ state: "off" });
    await expect(two.syncNow()).rejects.toMatchObject({ code: "sync-not-logged-in" });
    await expect(two.recoverSync({ url: sync.url, words: "not words" })).rejects.toMatchObject({
      code: "sync-invalid-words",
    });
  });
});

describe("a server that catches up with a long thread", () => {
  test("[L5] stores it in another thread than the one that answers requests", async () => {
    const [one, two] = servers.map((each) => each.client());
    if (!one || !two) throw new Error("two servers were started");
    const { words = "" } = await one.loginSync({ url: sync.url, invitation: await sync.invitation(), name: "one" });
    const { thread } = await one.createThread({ title: "long" });
    // Each is a segment of its own.
    const contents = Array.from({ length: 24 }, () => randomBytes(400 * 1024).toString("hex"));
    for (const content of contents) await one.addEntry(thread.id, { content, role: "User" });
    await until(async () => (await one.getSync()).state === "synced");
    const [{ place: first }, { place: second, pid }] = servers;
    const before = busyTicks(pid);
    await two.recoverSync({ url: sync.url, words, name: "two" });
    // Without a request, which the first thread would answer.
    await until(async () => headIn(second.home) === headIn(first.home));
    const after = busyTicks(pid);
    expect(after.first - before.first).toBeLessThan((after.all - before.all) / 4);
  });
});

describe("a server whose login file cannot be read", () => {
  test("[L6] [F40] says so, goes on with everything else, and syncs when the file is back", async () => {
    const [served] = servers;
    const client = served.client();
    await client.loginSync({ url: sync.url, invitation: await sync.invitation(), name: "one" });
    await until(async () => (await client.getSync()).state === "synced");
    const file = join(served.place.home, "config", "sync.json");
    const login = readFileSync(file, "utf8");
    writeFileSync(file, "{");
    await client.createThread({ title: "meanwhile" });
    expect(await client.getSync()).toMatchObject({ state: "stopped", problem: { code: "unreadable" } });
    expect(await client.getWorkspaceStatus({})).toMatchObject({ sync: { state: "stopped" } });
    // Long enough for the worker to meet the file.
    await sleep(2500);
    expect(served.alive).toBe(true);
    writeFileSync(file, login);
    await until(async () => (await client.getSync()).state === "synced");
  });
});

function headIn(home: string): unknown {
  const database = new DatabaseSync(join(home, "data", "retake.db"), { readOnly: true });
  try {
    return database.prepare("SELECT head FROM threads").get()?.["head"];
  } finally {
    database.close();
  }
}

/** The processor time of a process so far, and of its first thread, in the kernel's unit. */
function busyTicks(pid: number): { readonly all: number; readonly first: number } {
  const [all = 0, first = 0] = [`/proc/${pid}/stat`, `/proc/${pid}/task/${pid}/stat`].map((file) => {
    const fields = readFileSync(file, "utf8").split(") ")[1]?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return { all, first };
}

/** Waits for something that happens by itself; the test's own limit ends a wait in vain. */
async function until(happened: () => Promise<boolean>): Promise<void> {
  while (!(await happened().catch(() => false))) await sleep(100);
}
