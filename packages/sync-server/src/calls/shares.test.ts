import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RunningSyncServer, startSyncServer, supportShares } from "../start-sync-server.ts";
import { sha256, TestDevice } from "../testing/test-device.ts";

const folder = mkdtempSync(join(tmpdir(), "retake-shares-"));
const db = join(folder, "sync.db");
let server: RunningSyncServer;
let device: TestDevice;

async function start(support_key?: string): Promise<void> {
  const settings = { quota_bytes: 1000, ...(support_key !== undefined && { support_key }) };
  const options = { db, blobs: join(folder, "blobs"), port: 0, settings, now: () => 1_700_000_000_000 };
  server = await startSyncServer({ ...options, log: () => undefined });
}

beforeEach(async () => {
  await start();
  device = await new TestDevice(server.url).join((await server.invite()) ?? "");
  await device.register("t");
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("shares on the server", () => {
  const used = async () => (await device.ask("readVault", { vault: device.vault })).used_bytes;
  const read = async (share: string) => {
    const outcome = await device.call("readShare", { share }, { token: null });
    return outcome.kind === "answer" ? Buffer.from(outcome.answer).toString() : outcome;
  };
  const [one, two] = ["1a".repeat(16), "2b".repeat(16)] as const;

  test("[X16] are replaced and ended, count for the quota, and are told with the changes of the thread", async () => {
    await device.share("t", "x".repeat(600), one);
    expect(await device.share("t", "y".repeat(600), two)).toMatchObject({ code: "quota-exceeded" });
    await device.share("t", "short", one);
    expect([await used(), await read(one)]).toEqual([5, "short"]);
    expect(await device.changes()).toMatchObject({ answer: { threads: [{ thread: "t", shared: ["link"] }] } });
    await device.ask("deleteShare", { vault: device.vault, share: one });
    await device.ask("deleteShare", { vault: device.vault, share: one });
    expect([await used(), await read(one)]).toMatchObject([0, { code: "not-found" }]);
    const { threads } = await device.ask("listChanges", { vault: device.vault, seen: [] });
    expect(threads[0]).not.toHaveProperty("shared");
  });

  test("[X16] end with their thread, and are of threads that the vault has", async () => {
    expect(await device.share("unknown", "x")).toMatchObject({ code: "unknown-thread" });
    await device.share("t", "a conversation", one);
    await device.ask("deleteThread", { vault: device.vault, thread: "t" });
    expect([await used(), await read(one)]).toMatchObject([0, { code: "not-found" }]);
    expect(await device.share("t", "again", one)).toMatchObject({ code: "gone" });
  });

  test("[X16] are for support only where the server has one", async () => {
    const bytes = new Uint8Array(Buffer.from("x"));
    const input = { vault: device.vault, thread: "t", share: one, digest: sha256(bytes), bytes };
    const ask = (more: object) => device.call("putShare", { ...input, readers: "support", ...more });
    expect(await ask({ sealed_key: "AAAA" })).toMatchObject({ code: "invalid-request" });
    await server.close();
    await start("A".repeat(43).concat("="));
    Object.assign(device, { url: server.url });
    expect(await ask({})).toMatchObject({ code: "invalid-request" });
    expect(await ask({ sealed_key: "AAAA" })).toMatchObject({ kind: "answer" });
    expect(await supportShares({ db })).toMatchObject([{ thread: "t", share: one, sealed_key: "AAAA" }]);
  });

  test("[L5] a database from before there were shares gets the table, and keeps everything", async () => {
    await server.close();
    const database = new DatabaseSync(db);
    database.exec("DROP TABLE shares; DROP TABLE deleted_vaults; PRAGMA user_version = 1");
    database.close();
    await start();
    Object.assign(device, { url: server.url });
    await device.share("t", "a conversation", one);
    expect(await read(one)).toBe("a conversation");
  });
});
