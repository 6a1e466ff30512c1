import { readPack } from "@retake/core/sync";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { RunningSyncServer } from "./start-sync-server.ts";
import { blob, firstKey, operation, recoverySecret, TestDevice } from "./testing/test-device.ts";
import { deviceOf, TestServers } from "./testing/test-servers.ts";

const servers = new TestServers();
beforeAll(() => servers.open());
afterEach(() => servers.stopAll());
afterAll(() => servers.close());

describe.each(servers.databases)("a sync server on %s", (_, createDatabase) => {
  test("[L5] [L7] gives segments of one device to another, in their order and without a gap", async () => {
    const server = await servers.start(await createDatabase());
    const one = await deviceOf(server);
    const two = await deviceOf(server, one.vault);
    expect(await one.register("t")).toMatchObject({ answer: { last_seq: 0, heads: [] } });
    await one.push("t", [operation("a"), operation("b", "a")]);
    expect(await one.push("t", [operation("c", "b")])).toMatchObject({
      answer: { seq: 2, last_seq: 2, heads: [{ operation: "c", seq: 2 }] },
    });
    const changes = await two.ask("listChanges", { vault: two.vault, seen: [] });
    expect(changes.threads).toMatchObject([{ thread: "t", last_seq: 2, wrapped_key: "AAAA", deleted: false }]);
    const pulled = await two.ask("pullSegments", { vault: two.vault, thread: "t", seen: [], after: 0 });
    expect(pulled.segments.map(({ seq, envelope }) => [seq, envelope.operations.map(({ id }) => id)])).toEqual([
      [1, ["a", "b"]],
      [2, ["c"]],
    ]);
    expect(Buffer.from(pulled.segments[0]?.body ?? "", "base64").toString()).toBe("body of a,b");
    expect(await two.pull("t", 1)).toMatchObject({ answer: { segments: [{ seq: 2 }] } });
    expect(await two.changes(changes.next)).toMatchObject({ answer: { threads: [], next: changes.next } });
  });

  test("[L7] stores both of two concurrent pushes, whoever comes first", async () => {
    const server = await servers.start(await createDatabase());
    const one = await deviceOf(server);
    await one.register("t");
    await one.push("t", [operation("root")]);
    const devices = await Promise.all(Array.from({ length: 8 }, () => deviceOf(server, one.vault)));
    const pushed = await Promise.all(devices.map((each, index) => each.push("t", [operation(`o${index}`, "root")])));
    const seqs = pushed.map((each) => (each.kind === "answer" ? each.answer.seq : 0));
    expect([...seqs].sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    const pulled = await one.ask("pullSegments", { vault: one.vault, thread: "t", seen: [], after: 0 });
    expect(pulled.heads.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("[L6] answers a repeated push with its old number, also when two repeat it at once", async () => {
    const server = await servers.start(await createDatabase());
    const device = await deviceOf(server);
    await device.register("t");
    const [first, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => device.push("t", [operation("a"), operation("b", "a")])),
    );
    for (const each of others) expect(each).toEqual(first);
    expect(await device.pull("t")).toMatchObject({ answer: { last_seq: 1 } });
    expect(servers.databaseErrors()).toEqual([]);
  });

  test("[L6] [L7] stores only the new operations of a segment that repeats others", async () => {
    const server = await servers.start(await createDatabase());
    const device = await deviceOf(server);
    await device.register("t");
    await device.push("t", [operation("a"), operation("b", "a")]);
    const both = [operation("b", "a"), operation("c", "b")];
    const stored = await device.push("t", both);
    expect(stored).toMatchObject({ answer: { seq: 2, heads: [{ operation: "c", seq: 2 }] } });
    // The answers to a repeat name the segment that brought the last of its operations.
    expect(await device.push("t", both)).toEqual(stored);
    expect(await device.push("t", [operation("a"), operation("b", "a")])).toMatchObject({ answer: { seq: 1 } });
    // Of two heads, the other one is also known.
    expect(await device.push("t", [operation("d", "a")])).toMatchObject({ answer: { seq: 3, last_seq: 3 } });
    const other = { ...operation("b", "a"), tag: "f".repeat(32) };
    expect(await device.push("t", [other, operation("e", "b")])).toMatchObject({ code: "other-content" });
  });

  test("[L7] stores nothing before its parents and blobs", async () => {
    const server = await servers.start(await createDatabase());
    const device = await deviceOf(server);
    await device.register("t");
    const file = blob("content");
    const blobs = [file.name];
    expect(await device.push("t", [operation("b", "a")], { blobs })).toMatchObject({
      code: "missing",
      details: { parents: ["a"], blobs },
    });
    await device.putPack([file]);
    expect(await device.push("t", [operation("a")], { blobs })).toMatchObject({ answer: { seq: 1 } });
  });

  test("[L7] refuses other content of a known id", async () => {
    const server = await servers.start(await createDatabase());
    const device = await deviceOf(server);
    await device.register("t");
    await device.push("t", [operation("a")]);
    const other = { ...operation("a"), tag: "f".repeat(32) };
    expect(await device.push("t", [other])).toMatchObject({ code: "other-content", details: { operations: ["a"] } });
  });

  test("[L5] keeps packs: the same again is fine, other bytes are refused, blobs come back", async () => {
    const server = await servers.start(await createDatabase());
    const device = await deviceOf(server);
    const files = [blob("one"), blob("two")];
    expect(await device.putPack(files, "p")).toEqual({ kind: "answer", answer: {} });
    expect(await device.putPack(files, "p")).toEqual({ kind: "answer", answer: {} });
    expect(await device.putPack([blob("three")], "p")).toMatchObject({ code: "other-content" });
    const { vault } = device;
    const names = [blob("three").name, ...files.map(({ name }) => name)];
    expect(await device.ask("checkBlobs", { vault, names })).toEqual({ missing: [blob("three").name] });
    const pack = await device.ask("fetchBlobs", { vault, names });
    const index = readPack(pack);
    if (index.kind !== "pack") throw new Error(index.problem);
    const texts = index.entries.map(({ offset, length }) =>
      Buffer.from(pack.subarray(offset, offset + length)).toString(),
    );
    expect(texts).toEqual(["one", "two"]);
  });

  test("[L5] refuses a pack or segment that was damaged on its way", async () => {
    const server = await servers.start(await createDatabase());
    const device = await deviceOf(server);
    await device.register("t");
    const { vault, kid } = device;
    const bytes = new Uint8Array([0, 0, 0, 200, 1]);
    expect(await device.call("putPack", { vault, pack: "p", kid, digest: "0".repeat(64), bytes })).toMatchObject({
      code: "invalid-request",
    });
    expect(await device.push("t", [operation("a")], { digest: "0".repeat(64) })).toMatchObject({
      code: "invalid-request",
    });
    expect(await device.pull("t")).toMatchObject({ answer: { last_seq: 0 } });
  });

  test("[X16] refuses another key before anything is stored", async () => {
    const server = await servers.start(await createDatabase());
    const device = await deviceOf(server);
    await device.register("t");
    device.kid = "b2".repeat(32);
    expect(await device.register("u")).toMatchObject({ code: "wrong-key" });
    expect(await device.push("t", [operation("a")])).toMatchObject({ code: "wrong-key" });
    expect(await device.putPack([blob("x")])).toMatchObject({ code: "wrong-key" });
    expect(await device.changes()).toMatchObject({ answer: { threads: [{ thread: "t", last_seq: 0 }] } });
    expect(await device.ask("readVault", { vault: device.vault })).toMatchObject({ used_bytes: 0 });
  });

  test("[X16] changes the key with all thread keys and for all devices, or not at all", async () => {
    const server = await servers.start(await createDatabase());
    const one = await deviceOf(server);
    const two = await deviceOf(server, one.vault);
    await one.register("t");
    const kid = "c3".repeat(32);
    const change = { ...firstKey(one.vault, kid), previous: one.kid, recovery_hash: "0".repeat(64) };
    expect(await one.call("changeKey", change)).toMatchObject({ code: "stale-key", details: { threads: ["t"] } });
    const threads = [{ thread: "t", wrapped_key: "BBBB" }];
    expect(await one.call("changeKey", { ...change, threads })).toMatchObject({ code: "stale-key" });
    const devices = [{ device: two.device, sealed_key: "CCCC" }];
    expect(await one.call("changeKey", { ...change, threads, devices })).toMatchObject({ kind: "answer" });
    expect(await one.call("changeKey", { ...change, threads, devices })).toMatchObject({ kind: "answer" });
    expect(await two.ask("readVault", { vault: two.vault })).toMatchObject({ kid, sealed_key: "CCCC" });
    expect(await two.changes()).toMatchObject({ answer: { threads: [{ wrapped_key: "BBBB" }] } });
    expect(await two.push("t", [operation("a")])).toMatchObject({ code: "wrong-key" });
  });

  test("[L5] takes an invitation once, and gives the device that used it the same answer again", async () => {
    const server = await servers.start(await createDatabase());
    const invitation = (await server.invite()) ?? "";
    const device = new TestDevice(server.url);
    const joined = await device.ask("join", { invitation, device: device.facts });
    expect(await device.ask("join", { invitation, device: device.facts })).toEqual(joined);
    const other = new TestDevice(server.url);
    expect(await other.call("join", { invitation, device: other.facts })).toMatchObject({ code: "gone" });
    expect(await other.call("join", { invitation: "guess", device: other.facts })).toMatchObject({
      code: "unauthorized",
    });
    const late = (await server.invite()) ?? "";
    servers.now += 8 * 24 * 3_600_000;
    expect(await other.call("join", { invitation: late, device: other.facts })).toMatchObject({ code: "gone" });
    expect(await server.invite("no-such-vault")).toBeUndefined();
  });

  test("[L5] links a device by a code that an old device approves", async () => {
    const server = await servers.start(await createDatabase());
    const old = await deviceOf(server);
    const fresh = new TestDevice(server.url);
    const { code } = await fresh.ask("startLink", { device: fresh.facts });
    expect(await fresh.ask("startLink", { device: fresh.facts })).toMatchObject({ code });
    expect(await fresh.ask("followLink", { code })).toEqual({ state: "waiting" });
    expect(await old.ask("readLink", { vault: old.vault, code })).toEqual({
      name: "laptop",
      public_key: fresh.publicKey,
    });
    expect(await new TestDevice(server.url).call("followLink", { code })).toMatchObject({ code: "gone" });
    await old.ask("answerLink", { vault: old.vault, code, approve: true, sealed_key: "DDDD" });
    const linked = await fresh.ask("followLink", { code });
    expect(linked).toMatchObject({
      state: "approved",
      vault: old.vault,
      sealed_key: "DDDD",
      approver_key: old.publicKey,
    });
    if (linked.state === "approved") Object.assign(fresh, { vault: linked.vault, device: linked.device });
    expect(await fresh.ask("readVault", { vault: old.vault })).toMatchObject({ sealed_key: "DDDD" });
    expect(await old.call("answerLink", { vault: old.vault, code, approve: false })).toMatchObject({
      code: "not-found",
    });

    const denied = new TestDevice(server.url);
    const second = await denied.ask("startLink", { device: denied.facts });
    await old.ask("answerLink", { vault: old.vault, code: second.code, approve: false });
    expect(await denied.ask("followLink", { code: second.code })).toEqual({ state: "denied" });
    servers.now += 11 * 60_000;
    expect(await denied.call("followLink", { code: second.code })).toMatchObject({ code: "gone" });
  });

  test("[L5] lets a device in that has the recovery words, and none that has not", async () => {
    const server = await servers.start(await createDatabase());
    const { vault } = await deviceOf(server);
    const device = new TestDevice(server.url);
    const secret = recoverySecret(vault);
    const joined = await device.ask("recover", { secret, device: device.facts });
    expect(joined).toMatchObject({ vault, kid: device.kid });
    expect(await device.ask("recover", { secret, device: device.facts })).toEqual(joined);
    const other = "0".repeat(64);
    expect(await device.call("recover", { secret: other, device: device.facts })).toMatchObject({
      code: "unauthorized",
    });
  });

  test("[L5] refuses a revoked device at once", async () => {
    const server = await servers.start(await createDatabase());
    const one = await deviceOf(server);
    const two = await deviceOf(server, one.vault);
    const changes = await two.ask("listChanges", { vault: two.vault, seen: [] });
    const waiting = two.changes(changes.next, 25);
    await expect.poll(() => metric(server, "retake_sync_waiting_devices")).toBe("1");
    await one.ask("revokeDevice", { vault: one.vault, device: two.device });
    expect(await waiting).toMatchObject({ code: "revoked" });
    expect(await two.changes()).toMatchObject({ code: "revoked" });
    expect(await two.push("t", [operation("a")])).toMatchObject({ code: "revoked" });
    const { devices } = await one.ask("readVault", { vault: one.vault });
    expect(devices.filter(({ revoked_at }) => revoked_at === servers.now).map(({ device }) => device)).toEqual([
      two.device,
    ]);
    expect(await one.call("revokeDevice", { vault: one.vault, device: "nobody" })).toMatchObject({ code: "not-found" });
  });

  test("[L6] holds an answer back until there is a change, also one by another process", async () => {
    const db = await createDatabase();
    const [first, second] = [await servers.start(db), await servers.start(db)];
    const one = await deviceOf(first);
    const { token, vault, device } = one;
    const two = Object.assign(new TestDevice(second.url), { token, vault, device });
    const changes = await one.ask("listChanges", { vault: one.vault, seen: [] });
    for (const writer of [one, two]) {
      const waiting = one.changes(changes.next, 25);
      await writer.register(writer === one ? "t" : "u");
      expect(await waiting).toMatchObject({ answer: { threads: expect.arrayContaining([expect.anything()]) } });
    }
  });

  test("[L6] notices that it was restored from an older backup", async () => {
    const server = await servers.start(await createDatabase());
    const device = await deviceOf(server);
    const answer = await device.register("t");
    const { change } = answer.kind === "answer" ? answer.answer : { change: "" };
    device.seen = [change];
    expect(await device.push("t", [operation("a")])).toMatchObject({ kind: "answer" });
    for (const seen of ["99.ab", `1.${"0".repeat(16)}`]) {
      device.seen = [change, seen];
      expect(await device.push("t", [operation("b", "a")])).toMatchObject({ code: "rewound" });
      expect(await device.pull("t")).toMatchObject({ code: "rewound" });
      expect(await device.register("u")).toMatchObject({ code: "rewound" });
      expect(await device.changes()).toMatchObject({ code: "rewound" });
      device.seen = [];
      expect(await device.changes(seen)).toMatchObject({ code: "rewound" });
    }
    expect(await device.pull("t")).toMatchObject({ answer: { last_seq: 1 } });
  });

  test("[L5] goes on with all that it had after a restart", async () => {
    const db = await createDatabase();
    const server = await servers.start(db);
    const device = await deviceOf(server);
    await device.register("t");
    await device.push("t", [operation("a")]);
    await servers.stopAll();
    const { token, vault, device: id } = device;
    const again = Object.assign(new TestDevice((await servers.start(db)).url), { token, vault, device: id });
    expect(await again.push("t", [operation("b", "a")])).toMatchObject({ answer: { seq: 2 } });
  });

  test("[L6] ends while a device waits, with an answer for it", async () => {
    const server = await servers.start(await createDatabase());
    const device = await deviceOf(server);
    const changes = await device.ask("listChanges", { vault: device.vault, seen: [] });
    const waiting = device.changes(changes.next, 25);
    await expect.poll(() => metric(server, "retake_sync_waiting_devices")).toBe("1");
    await servers.stopAll();
    expect(await waiting).toMatchObject({ answer: { threads: [] } });
  });

  test("[L5] limits how often a device asks, and says when to come back", async () => {
    const rate = { burst: 5, per_second: 0.5 };
    const server = await servers.start(await createDatabase(), {
      limits: { device: rate, vault: rate, stranger: { burst: 100, per_second: 1 } },
    });
    const device = await deviceOf(server);
    const answers = [];
    for (let count = 0; count < 6; count += 1) answers.push(await device.changes());
    expect(answers.at(-1)).toMatchObject({ code: "too-many-requests", details: { retry_after_ms: 2000 } });
    servers.now += 2000;
    expect(await device.changes()).toMatchObject({ kind: "answer" });
  });

  test("[L5] says that it is well, counts, and logs nothing that was sent", async () => {
    const server = await servers.start(await createDatabase());
    const device = await deviceOf(server);
    await device.register("thread-name");
    await device.push("thread-name", [operation("secret-operation")]);
    for (const path of ["/health", "/ready"]) expect((await fetch(server.url + path)).status).toBe(200);
    expect(await metric(server, 'retake_sync_requests_total{call="pushSegment",code="ok"}')).toBe("1");
    const lines = JSON.stringify(servers.log);
    expect(servers.log.at(-1)).toMatchObject({
      call: "pushSegment",
      code: "ok",
      vault: device.vault,
      device: device.device,
    });
    for (const secret of [device.token, "thread-name", "secret-operation", device.publicKey])
      expect(lines).not.toContain(secret);
  });
});

async function metric(server: RunningSyncServer, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return text
    .split("\n")
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1);
}
