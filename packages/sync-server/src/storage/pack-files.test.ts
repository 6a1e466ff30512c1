import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSyncServer } from "../start-sync-server.ts";
import { startBucket, type TestBucket } from "../testing/start-bucket.ts";
import { blob, TestDevice } from "../testing/test-device.ts";
import { bucketOf, PackBucket } from "./pack-bucket.ts";
import { PackDirectory, type PackFiles } from "./pack-files.ts";

const folder = mkdtempSync(join(tmpdir(), "retake-packs-"));
let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(async () => {
  await bucket.stop();
  rmSync(folder, { recursive: true });
});

const KINDS: Readonly<Record<string, () => PackFiles>> = {
  "a directory": () => new PackDirectory(join(folder, "packs")),
  "a store that speaks S3": () => new PackBucket(bucketOf(bucket.address, bucket.environment)),
};

describe.each(Object.entries(KINDS))("packs in %s", (_, open) => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));
  const names = async (packs: PackFiles, vault: string) => (await packs.list(vault)).map(({ name }) => name).sort();

  test("[L5] are written whole, read in parts, listed by vault and removed", async () => {
    const packs = open();
    await packs.check();
    expect(await packs.list("one")).toEqual([]);
    const before = Date.now() - 5000;
    for (let each = 0; each < 7; each += 1) await packs.write("one", `pack-${each}`, bytes(`content ${each}`));
    await packs.write("two", "pack", bytes("another"));
    expect(Buffer.from(await packs.read("one", "pack-3", 2, 5)).toString()).toBe("ntent");
    // Again the same bytes, as after a lost answer.
    await packs.write("one", "pack-3", bytes("content 3"));
    expect(await names(packs, "one")).toEqual([0, 1, 2, 3, 4, 5, 6].map((each) => `pack-${each}`));
    for (const { changed_at } of await packs.list("one")) expect(changed_at).toBeGreaterThan(before);
    await packs.remove("one", "pack-3");
    await packs.remove("one", "pack-3");
    expect(await names(packs, "one")).not.toContain("pack-3");
    await packs.removeVault("one");
    await packs.removeVault("one");
    expect(await packs.list("one")).toEqual([]);
    expect(await names(packs, "two")).toEqual(["pack"]);
    await packs.removeVault("two");
  });

  test("[L5] that are missing or too short are errors, not empty bytes", async () => {
    const packs = open();
    await packs.write("v", "short", bytes("abc"));
    await expect(packs.read("v", "none", 0, 1)).rejects.toThrow();
    await expect(packs.read("v", "short", 1, 5)).rejects.toThrow();
    await packs.removeVault("v");
  });
});

describe("a store that speaks S3", () => {
  test("[X16] refuses another key, and the error says what it answered and no secret", async () => {
    const environment = { ...bucket.environment, AWS_SECRET_ACCESS_KEY: "another secret" };
    const packs = new PackBucket(bucketOf(bucket.address, environment));
    await expect(packs.check()).rejects.toThrow("The store of packs answered GET with 403 SignatureDoesNotMatch.");
    expect(bucket.objects.size).toBe(0);
  });

  test("[L5] serves a server as a directory does, and keeps nothing of a vault that was deleted", async () => {
    const options = { blobs: bucket.address, environment: bucket.environment, port: 0, now: () => 1_700_000_000_000 };
    const server = await startSyncServer({ db: ":memory:", ...options, log: () => undefined });
    try {
      expect((await fetch(`${server.url}/ready`)).status).toBe(200);
      const device = await new TestDevice(server.url).join((await server.invite()) ?? "");
      const { vault } = device;
      await device.putPack([blob("one"), blob("two")]);
      expect(bucket.objects.size).toBe(1);
      const names = [blob("two").name];
      expect(Buffer.from(await device.ask("fetchBlobs", { vault, names })).toString()).toContain("two");
      await device.ask("deleteVault", { vault });
      expect(bucket.objects.size).toBe(0);
    } finally {
      await server.close();
    }
  });

  test("its address names the bucket, and its keys are in the environment", () => {
    expect(() => bucketOf("s3://packs", {})).toThrow("AWS_ACCESS_KEY_ID");
    const keys = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_REGION: "eu-west-1" };
    expect(bucketOf("s3://packs/here/", keys)).toMatchObject({
      url: "https://packs.s3.eu-west-1.amazonaws.com",
      prefix: "here/",
    });
  });
});
