import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SYNC_ROUTES, type SyncCall, type SyncInput } from "@retake/core/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningSyncServer, startSyncServer } from "./start-sync-server.ts";
import { PostgresDatabase } from "./storage/postgres-database.ts";
import { OPEN_TABLES, TABLES } from "./storage/schema.ts";
import type { SqlDatabase } from "./storage/sql-database.ts";
import { SqliteDatabase } from "./storage/sqlite-database.ts";
import { startPostgres, type TestPostgres } from "./testing/start-postgres.ts";
import { blob, firstKey, KID, operation, sha256, TestDevice } from "./testing/test-device.ts";

/** Every route, asked by those who may not ask, about a vault that is not theirs. */
const folder = mkdtempSync(join(tmpdir(), "retake-sync-vaults-"));
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const DATABASES = {
  SQLite: {
    create: async () => join(folder, `${randomUUID()}.db`),
    open: async (db: string) => new SqliteDatabase(db),
  },
  PostgreSQL: { create: () => postgres.createDatabase(), open: (db: string) => PostgresDatabase.open(db) },
};

/** Valid input of every call with a device, in the vault of `owner`. */
function inputsOf(owner: TestDevice, sender: TestDevice, code: string): Partial<{ [C in SyncCall]: SyncInput<C> }> {
  const { vault } = owner;
  const inThread = { vault, thread: "t", seen: [] };
  const { bytes } = blob("x");
  const names = [blob("content").name];
  return {
    readLink: { vault, code },
    answerLink: { vault, code, approve: true, sealed_key: "AAAA" },
    readVault: { vault },
    deleteVault: { vault },
    changeKey: { ...firstKey(vault, "d4".repeat(32)), previous: KID, threads: [{ thread: "t", wrapped_key: "AAAA" }] },
    revokeDevice: { vault, device: owner.device },
    listChanges: { vault, seen: [] },
    registerThread: { ...inThread, thread: "new", kid: KID, wrapped_key: "AAAA" },
    deleteThread: { vault, thread: "t" },
    pullSegments: { ...inThread, after: 0 },
    pushSegment: {
      ...inThread,
      segment: { ...sender.segment("t", [operation("z")], { vault, device: owner.device }) },
    },
    checkBlobs: { vault, names },
    putPack: { vault, pack: "p2", kid: KID, digest: sha256(bytes), bytes },
    fetchBlobs: { vault, names },
    putShare: { vault, thread: "t", share: "ab".repeat(16), readers: "link", digest: sha256(bytes), bytes },
    listShares: { vault },
    deleteShare: { vault, share: SHARE },
  };
}

/** A share of the owner. */
const SHARE = "5e".repeat(16);

describe.each(Object.entries(DATABASES))("every route of a server on %s", (_, { create, open }) => {
  let server: RunningSyncServer;
  let database: SqlDatabase;
  let owner: TestDevice;
  let code: string;

  beforeAll(async () => {
    const db = await create();
    const now = () => 1_700_000_000_000;
    server = await startSyncServer({ db, blobs: join(folder, randomUUID()), port: 0, now, log: () => undefined });
    database = await open(db);
    owner = await deviceOf();
    await owner.register("t");
    await owner.putPack([blob("content")]);
    await owner.push("t", [operation("a")], { blobs: [blob("content").name] });
    await owner.share("t", "a conversation", SHARE);
    const waiting = new TestDevice(server.url);
    ({ code } = await waiting.ask("startLink", { device: waiting.facts }));
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  async function deviceOf(vault?: string): Promise<TestDevice> {
    return new TestDevice(server.url).join((await server.invite(vault)) ?? "");
  }

  /** Every row of every table. */
  async function everything(): Promise<unknown> {
    const tables = Object.keys({ ...TABLES, ...OPEN_TABLES });
    const rows = tables.map((name) => database.read<object>(`SELECT * FROM ${name} WHERE 1 = ?`, [1]));
    return (await Promise.all(rows)).map((each) => each.map((row) => JSON.stringify(row)).sort());
  }

  test("[L5] has a case here", () => {
    const all = Object.entries(SYNC_ROUTES).filter(([, { access }]) => access === "device");
    expect(Object.keys(inputsOf(owner, owner, code)).sort()).toEqual(all.map(([name]) => name).sort());
  });

  const senders: Record<string, { code: string; make: () => Promise<TestDevice>; headers?: Record<string, string> }> = {
    "a device of another vault": { code: "not-found", make: () => deviceOf() },
    "a device of another vault that claims to be newer": {
      code: "newer-version",
      make: () => deviceOf(),
      headers: { "retake-sync-version": "2" },
    },
    "a token that nobody has": { code: "unauthorized", make: async () => new TestDevice(server.url) },
    "a token in another form": {
      code: "unauthorized",
      make: async () => Object.assign(new TestDevice(server.url), { token: "x' OR '1'='1" }),
    },
    "a revoked device": {
      code: "revoked",
      make: async () => {
        const device = await deviceOf(owner.vault);
        await owner.ask("revokeDevice", { vault: owner.vault, device: device.device });
        return device;
      },
    },
  };
  test.each(Object.entries(senders))("[L5] [X16] refuses %s, and changes nothing", async (_name, sender) => {
    const device = await sender.make();
    const before = await everything();
    for (const [call, input] of Object.entries(inputsOf(owner, device, code)) as [SyncCall, SyncInput<SyncCall>][])
      expect([
        call,
        await device.call(call, input, { ...(sender.headers && { headers: sender.headers }) }),
      ]).toMatchObject([call, { kind: "refused", code: sender.code }]);
    expect(await everything()).toEqual(before);
  });

  test("[L5] refuses a request without a token or a version", async () => {
    const before = await everything();
    for (const [call, input] of Object.entries(inputsOf(owner, owner, code)) as [SyncCall, SyncInput<SyncCall>][]) {
      expect(await owner.call(call, input, { token: null })).toMatchObject({ code: "unauthorized" });
      expect(await owner.call(call, input, { headers: { "retake-sync-version": "" } })).toMatchObject({
        code: "invalid-request",
      });
    }
    expect(await everything()).toEqual(before);
  });

  test("[X16] refuses another key in every call that writes ciphertext", async () => {
    const before = await everything();
    owner.kid = "e5".repeat(32);
    const answers = [
      await owner.register("new"),
      await owner.push("t", [operation("b", "a")]),
      await owner.putPack([blob("y")]),
    ];
    owner.kid = KID;
    for (const answer of answers) expect(answer).toMatchObject({ code: "wrong-key" });
    expect(await everything()).toEqual(before);
  });

  test("[X16] gives a device nothing of another vault by ids that it guesses", async () => {
    const device = await deviceOf();
    const { vault } = device;
    expect(await device.pull("t")).toMatchObject({ code: "unknown-thread" });
    const names = [blob("content").name];
    expect(await device.ask("checkBlobs", { vault, names })).toEqual({ missing: names });
    expect(Buffer.from(await device.ask("fetchBlobs", { vault, names })).includes("content")).toBe(false);
    expect(await device.call("revokeDevice", { vault, device: owner.device })).toMatchObject({ code: "not-found" });
    await device.register("t");
    expect(await device.push("t", [operation("b", "a")])).toMatchObject({
      code: "missing",
      details: { parents: ["a"] },
    });
    expect(await device.push("t", [operation("b")], { blobs: names })).toMatchObject({ code: "missing" });
    // A public link names its share, but only its owner can replace or end it.
    expect(await device.share("t", "another conversation", SHARE)).toMatchObject({ code: "other-content" });
    await device.ask("deleteShare", { vault, share: SHARE });
    expect(Buffer.from(await device.ask("readShare", { share: SHARE })).toString()).toBe("a conversation");
    expect(await owner.changes()).toMatchObject({ answer: { threads: [{ last_seq: 1 }] } });
  });

  test.each([
    ["a body that is no JSON", "{", "invalid-request"],
    ["a body with a field too many", JSON.stringify({ names: [blob("x").name], other: 1 }), "invalid-request"],
    ["an empty list", JSON.stringify({ names: [] }), "invalid-request"],
    ["a name with a path", JSON.stringify({ names: ["../../etc/passwd"] }), "invalid-request"],
    ["a body beyond the limit", JSON.stringify({ names: ["x".repeat(2_000_000)] }), "too-large"],
  ])("[L5] refuses %s, sent with its length or in parts without one", async (_name, body, refusal) => {
    for (const sent of [body, new Blob([body]).stream()]) {
      const response = await fetch(`${server.url}/v1/vaults/${owner.vault}/blobs/check`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${owner.token}`,
          "retake-sync-version": "1",
          "content-type": "application/json",
        },
        body: sent,
        duplex: "half",
      } as RequestInit);
      expect(await response.json()).toMatchObject({ error: { code: refusal } });
    }
  });
});

describe("row-level security alone", () => {
  test("[X16] shows and changes no row of another vault, whatever a query forgets to say", async () => {
    const db = await postgres.createDatabase();
    const options = { blobs: join(folder, randomUUID()), port: 0, now: () => 0, log: () => undefined };
    const server = await startSyncServer({ db, ...options });
    const [one, two] = [new TestDevice(server.url), new TestDevice(server.url)];
    for (const device of [one, two]) {
      await device.join((await server.invite()) ?? "");
      await device.register("t");
      await device.putPack([blob("content")]);
      await device.push("t", [operation("a")], { blobs: [blob("content").name] });
      await device.share("t", "a conversation");
    }
    await server.close();
    const database = await PostgresDatabase.open(db);
    try {
      for (const table of Object.keys(TABLES)) {
        const all = await database.inVault(two.vault, (sql) =>
          sql.all<{ vault: string }>(`SELECT vault FROM ${table}`),
        );
        expect([table, [...new Set(all.map(({ vault }) => vault))]]).toEqual([table, [two.vault]]);
        const moved = database.inVault(two.vault, (sql) => sql.run(`UPDATE ${table} SET vault = ?`, [one.vault]));
        await expect(moved).rejects.toThrow(/row-level security|foreign key/);
      }
      await database.inVault(two.vault, (sql) => sql.run("DELETE FROM segments"));
      const left = await database.read<{ vault: string }>("SELECT vault FROM segments WHERE 1 = ?", [1]);
      expect(left).toEqual([{ vault: one.vault }]);
    } finally {
      await database.close();
    }
  });
});
