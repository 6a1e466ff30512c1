import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPack } from "@retake/core/sync";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { blob, operation, TestDevice } from "./testing/test-device.ts";
import { deviceOf, TestServers } from "./testing/test-servers.ts";

const servers = new TestServers();
beforeAll(() => servers.open());
afterEach(() => servers.stopAll());
afterAll(() => servers.close());

describe.each(servers.databases)("housekeeping of a sync server on %s", (_, createDatabase) => {
  test("[L5] keeps to the quota, and gives the room of deleted threads back after the retention time", async () => {
    const db = await createDatabase();
    const server = await servers.start(db, { settings: { quota_bytes: 20, retention_days: 30, pack_grace_ms: 0 } });
    const device = await deviceOf(server);
    await device.register("t");
    expect(await device.push("t", [operation("a")])).toMatchObject({ kind: "answer" });
    expect(await device.push("t", [operation("b", "a")])).toMatchObject({ kind: "answer" });
    expect(await device.push("t", [operation("c", "b")])).toMatchObject({ code: "quota-exceeded" });
    expect(await device.putPack([blob("x")])).toMatchObject({ code: "quota-exceeded" });
    const { vault } = device;
    await device.ask("deleteThread", { vault, thread: "t" });
    expect(await device.push("t", [operation("c", "b")])).toMatchObject({ code: "gone" });
    expect(await device.pull("t")).toMatchObject({ code: "gone" });
    expect(await server.collect()).toMatchObject({ threads: 0 });
    servers.now += 31 * 24 * 3_600_000;
    expect(await server.collect()).toMatchObject({ threads: 1 });
    expect(await device.ask("readVault", { vault })).toMatchObject({ used_bytes: 0 });
    expect(await device.changes()).toMatchObject({
      answer: { threads: [{ thread: "t", deleted: true, wrapped_key: "" }] },
    });
    expect(await device.register("t")).toMatchObject({ code: "gone" });
  });

  test("[L5] collects packs that nothing needs, but none of an upload under way", async () => {
    const server = await servers.start(await createDatabase(), { settings: { pack_grace_ms: 3_600_000 } });
    const device = await deviceOf(server);
    await device.register("t");
    const [needed, unneeded] = [blob("needed"), blob("unneeded")];
    await device.putPack([needed]);
    await device.putPack([unneeded]);
    await device.push("t", [operation("a")], { blobs: [needed.name] });
    expect(await server.collect()).toMatchObject({ packs: 0 });
    servers.now += 7_200_000;
    expect(await server.collect()).toMatchObject({ packs: 1, files: 1 });
    const names = [needed.name, unneeded.name];
    expect(await device.ask("checkBlobs", { vault: device.vault, names })).toEqual({ missing: [unneeded.name] });
    expect(readPack(await device.ask("fetchBlobs", { vault: device.vault, names }))).toMatchObject({
      entries: [{ name: needed.name }],
    });
  });

  test("[L5] deletes a vault with all that is in it", async () => {
    const server = await servers.start(await createDatabase());
    const device = await deviceOf(server);
    await device.register("t");
    await device.putPack([blob("x")]);
    await device.push("t", [operation("a")], { blobs: [blob("x").name] });
    const invitation = (await server.invite(device.vault)) ?? "";
    expect(await device.call("deleteVault", { vault: device.vault })).toMatchObject({ kind: "answer" });
    expect(await device.changes()).toMatchObject({ code: "unauthorized" });
    const late = new TestDevice(server.url);
    expect(await late.call("join", { invitation, device: late.facts })).toMatchObject({ code: "unauthorized" });
    // An upload that was under way when the vault was deleted.
    const packs = join(servers.blobs, device.vault);
    expect(existsSync(packs)).toBe(false);
    mkdirSync(packs);
    writeFileSync(join(packs, "late"), "x");
    expect(await server.collect()).toMatchObject({ files: 1 });
    expect(existsSync(packs)).toBe(false);
  });

  test("[L5] collects nothing of vaults that another database has, and no other files", async () => {
    const [server, other] = [await servers.start(await createDatabase()), await servers.start(await createDatabase())];
    const device = await deviceOf(other);
    await device.register("t");
    await device.putPack([blob("x")]);
    await device.push("t", [operation("a")], { blobs: [blob("x").name] });
    const foreign = join(servers.blobs, "photos");
    mkdirSync(foreign, { recursive: true });
    servers.now += 7 * 24 * 3_600_000;
    expect(await server.collect()).toMatchObject({ files: 0 });
    expect(existsSync(foreign)).toBe(true);
    const names = [blob("x").name];
    expect(readPack(await device.ask("fetchBlobs", { vault: device.vault, names }))).toMatchObject({ entries: [{}] });
  });
});
